import { describe, expect, test } from 'vitest';
import { drawShapes, settingOf } from './draw-shapes.ts';

const box = {
  parts: new Map([['wheel', 'c d 9 0 0; c s 4 0 0']]),
  colors: { m: '#111', s: '#222', d: '#333', '4m': '#444', w: '#fff', k: '#000' },
};

describe('drawShapes', () => {
  test.each([
    ['r m 4 1 2 30 20', '<rect x="1" y="2" width="30" height="20" rx="4" fill="#111"/>'],
    ['r m 0 1 2 30 20', '<rect x="1" y="2" width="30" height="20" fill="#111"/>'],
    ['c 4m 5 1 2', '<circle cx="1" cy="2" r="5" fill="#444"/>'],
    ['e k7 9 5 1 2', '<ellipse cx="1" cy="2" rx="9" ry="5" fill="#000" opacity=".07"/>'],
    ['o s 3 5 1 2', '<circle cx="1" cy="2" r="5" fill="none" stroke="#222" stroke-width="3"/>'],
    ['p w40 M0 0h9', '<path d="M0 0h9" fill="#fff" opacity=".40"/>'],
    [
      'l d 3 M0 0h9',
      '<path d="M0 0h9" fill="none" stroke="#333" stroke-width="3" stroke-linecap="round"/>',
    ],
    [
      'b d 3/4,5 M0 0h9',
      '<path d="M0 0h9" fill="none" stroke="#333" stroke-width="3" stroke-dasharray="4 5"/>',
    ],
    [
      'c m 5 1 2 3 4',
      '<g fill="#111"><circle cx="1" cy="2" r="5"/><circle cx="3" cy="4" r="5"/></g>',
    ],
  ])('draws %s as SVG', (statement, svg) => {
    expect(drawShapes(statement, box)).toBe(svg);
  });

  test('draws a part at its position when it is scaled, mirrored, rotated and recolored', () => {
    expect(drawShapes('+wheel/4m,m,s 10 20 -.5 30', box)).toBe(
      '<g transform="translate(10 20) rotate(30) scale(-0.5 0.5)"><circle cx="0" cy="0" r="9" fill="#222"/><circle cx="0" cy="0" r="4" fill="#111"/></g>',
    );
  });

  test('groups shapes between parentheses', () => {
    expect(drawShapes('floor 90; ( 3 4 2; c m 5 0 0; )', box)).toBe(
      '<g transform="translate(3 4) scale(2)"><circle cx="0" cy="0" r="5" fill="#111"/></g>',
    );
  });

  test.each(['x m 1', 'r q 0 1 2 3 4', '+door 1 2'])('rejects %s', (statement) => {
    expect(() => drawShapes(statement, box)).toThrow(/^(A drawing has no statement|No) /);
  });
});

test('reads the settings of a drawing, and returns null for a missing one', () => {
  expect(settingOf('palette 6; floor 90; c m 5 0 0', 'floor')).toBe(90);
  expect(settingOf('floor 90; c m 5 0 0', 'palette')).toBeNull();
});
