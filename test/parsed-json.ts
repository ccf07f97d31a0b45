// oxlint-disable-next-line typescript/no-explicit-any -- read as a stranger's program would, without our types
export type ParsedJson = any;
