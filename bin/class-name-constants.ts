import type { Plugin } from 'vite';

/** Class names as constants, which the build writes where they are used: no script carries a table of them. */
const namesAsConstants: Plugin = {
  name: 'class-names-as-constants',
  apply: 'build',
  enforce: 'pre',
  transform: {
    filter: { id: /\.tsx$/ },
    handler: (code) => ({
      code: code.replace(/import (\w+) from ('[^']*\.module\.css')/g, 'import * as $1 from $2'),
      map: null,
    }),
  },
};

/**
 * With its constants written elsewhere a sheet's module would be empty, and left out with its styles. A statement
 * that the bundler keeps and the minifier then drops holds it in place.
 */
const keptSheets: Plugin = {
  name: 'kept-sheets',
  apply: 'build',
  enforce: 'post',
  transform: {
    filter: { id: /\.module\.css$/ },
    handler: (code) => ({ code: `${code}\ndebugger;`, moduleSideEffects: true, map: null }),
  },
};

/** Both belong together: the one makes the other necessary. */
export const classNameConstants: Plugin[] = [namesAsConstants, keptSheets];
