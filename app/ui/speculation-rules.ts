/**
 * What a browser may fetch ahead when its visitor turns to a link (Speculation Rules, WICG): pages alone, and none that
 * does something or is costly. The server refuses such a fetch anything else.
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
