/**
 * The links that a browser may prefetch on hover or focus (Speculation Rules, WICG): pages only,
 * and none with side effects or high cost. The server refuses to prefetch anything else.
 */
export const speculationRules = JSON.stringify({
  prefetch: [
    {
      where: {
        and: [
          { href_matches: '/*' },
          {
            not: {
              href_matches: [
                '/out/*',
                '/logout*',
                '/sign-in*',
                '/feeds/*',
                '/api/*',
                '/admin*',
                '/profile/export*',
                '/*\\?*search=*',
              ],
            },
          },
          { not: { selector_matches: '[rel~="nofollow"], [download], [data-swap]' } },
        ],
      },
      eagerness: 'moderate',
    },
  ],
});
