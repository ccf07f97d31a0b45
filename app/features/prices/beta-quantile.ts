/**
 * Returns the quantile `at` of Beta(a, b), accurate to a millionth. Returns 0 or 1 if `a` or `b` is
 * not above 0.
 */
export function betaQuantile(at: number, a: number, b: number): number {
  if (a <= 0) return 0;
  if (b <= 0) return 1;
  let [low, high] = [0, 1];
  while (high - low > 1e-6) {
    const middle = (low + high) / 2;
    if (betaShare(middle, a, b) < at) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/**
 * Returns the share of Beta(a, b) below x: the incomplete beta function, computed by its continued
 * fraction (Lentz; DLMF 8.17.22).
 */
function betaShare(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - betaShare(1 - x, b, a);
  const front =
    Math.exp(a * Math.log(x) + b * Math.log1p(-x) + logGamma(a + b) - logGamma(a) - logGamma(b)) /
    a;
  let c = 1;
  let d = 1 / (1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let m = 1; m < 200; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / (1 + even * d);
    c = 1 + even / c;
    fraction *= c * d;
    d = 1 / (1 + odd * d);
    c = 1 + odd / c;
    fraction *= c * d;
    if (Math.abs(c * d - 1) < 1e-10) break;
  }
  return Math.min(1, front * fraction);
}

/**
 * Computes Stirling's series, after shifting the argument to where it is accurate to ten digits
 * (DLMF 5.11.1).
 */
function logGamma(x: number): number {
  let shift = 0;
  let at = x;
  for (; at < 8; at++) shift += Math.log(at);
  const inverse = 1 / (at * at);
  const series = (1 / 12 - inverse * (1 / 360 - inverse * (1 / 1260 - inverse / 1680))) / at;
  return (at - 0.5) * Math.log(at) - at + Math.log(2 * Math.PI) / 2 + series - shift;
}
