/** Returns a text such as `1 deal`, `1,204 deals` or `2 categories`. */
export function countNoun(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}
