export function siteFlags(memoryMb?: number): string[];
export function siteEnvironment(memoryMb?: number): Record<string, string>;
