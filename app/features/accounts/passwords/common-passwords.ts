/** Passwords that attackers try first. Trailing digits are stripped before the lookup. */
const words = `
123456 1234567 12345678 123456789 1234567890 12345 0123456 987654321 87654321 7654321 654321 111111 000000 121212
123123 112233 123321 131313 666666 555555 777777 888888 999999 222222 333333 444444 696969 101010 159753 147258369
qwerty qwertz azerty qwertyuiop qwertzuiop asdfgh asdfghjkl zxcvbn zxcvbnm qazwsx qazwsxedc 1q2w3e 1q2w3e4r 1q2w3e4r5t
1qaz2wsx q1w2e3r4 qweasd qweasdzxc poiuyt lkjhgf mnbvcxz abcdef abcdefg abc123 a1b2c3 aaaaaa zzzzzz asdasd
password passwort passw0rd p@ssw0rd p@ssword pass pass1234 passpass changeme letmein welcome admin administrator root
master login access secret default guest user test tester testing demo temp temporary example sample hello helloworld
iloveyou loveyou lovely sunshine princess dragon monkey football baseball basketball soccer hockey superman batman
spiderman pokemon starwars shadow michael jordan jennifer jessica ashley michelle charlie andrew daniel joshua matthew
thomas robert william george hannah amanda nicole anthony freedom whatever trustno1 flower cookie cheese chocolate
summer winter spring autumn monday friday january december computer internet samsung google facebook amazon
mustang ferrari porsche mercedes yankees cowboys lakers liverpool chelsea arsenal barcelona realmadrid
ginger pepper buster tigger bailey killer hunter ranger harley maggie biteme fuckyou asshole silver golden diamond
orange purple banana internet phoenix thunder matrix maverick merlin corvette startrek snoopy scooter sparky
deals dealhub shopping discount coupon bargain
`;

export const commonPasswords: ReadonlySet<string> = new Set(words.split(/\s+/).filter(Boolean));
