import { expect, test } from 'vitest';
import { fillFacts } from './fill-facts.ts';

const site = {
  name: 'Barn',
  timeZone: 'UTC',
  contactEmail: '',
  replyHours: 24,
  passwordMinLength: 12,
  hasDigest: false,
  isAmazonAssociate: false,
};

test('fills in facts, and omits text whose fact is missing', () => {
  const text =
    '{{name}}: {{replyHours?within\n{{replyHours}} hours?}}{{contactEmail?, by email?}}.';
  expect(fillFacts(text, site)).toBe('Barn: within\n24 hours.');
  expect(fillFacts('{{nothing}} %7B%7Bname%7D%7D', site)).toBe('{{nothing}} Barn');
});

test('reads many unclosed placeholders without a quadratic scan', () => {
  const text = '{{name?'.repeat(14_000);
  const before = process.cpuUsage();
  expect(fillFacts(text, site)).toBe(text);
  expect(process.cpuUsage(before).user).toBeLessThan(500_000); // µs; a quadratic scan takes seconds
});
