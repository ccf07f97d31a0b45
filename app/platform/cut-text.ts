/** Returns a text of at most this many UTF-16 units, with an ellipsis if it was cut. */
export function shortenText(text: string, most: number): string {
  return text.length > most ? `${cutText(text, most - 1).trimEnd()}…` : text;
}

/** Returns a text cut to this many UTF-16 units, without splitting the last character. */
export function cutText(text: string, most: number): string {
  return text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '');
}
