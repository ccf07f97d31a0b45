/**
 * The drawings of the demo shop's products, on a 640 x 480 canvas with the floor at y = 400.
 * A drawing uses only its palette, white, and translucent black or white for shade and shine, so
 * that every kind works in every palette.
 */
export interface Palette {
  paper: string;
  soft: string;
  dark: string;
  main: string;
}

export interface Drawing {
  /** Half the width of the shadow on the floor; 0 for things that hang or lie flat. */
  shadow: number;
  draw: (palette: Palette) => string;
}

const shade = 'fill="#000" opacity=".14"';
const shine = 'fill="#fff" opacity=".22"';

const keyRow = (x: number, y: number, count: number, fill: string) =>
  `<path d="M${x} ${y}h${count * 36}" stroke="${fill}" stroke-width="28" stroke-dasharray="28 8"/>`;

export const productDrawings = {
  phone: {
    shadow: 120,
    draw: ({ soft, dark, main }) =>
      `<rect x="236" y="62" width="168" height="340" rx="32" fill="${dark}"/><rect x="247" y="74" width="146" height="316" rx="22" fill="${main}"/><path d="M247 300 393 186v182a22 22 0 0 1-22 22H269a22 22 0 0 1-22-22z" fill="${soft}" opacity=".55"/><rect x="296" y="86" width="48" height="13" rx="6.5" fill="${dark}"/><rect x="271" y="132" width="76" height="12" rx="6" fill="#fff"/><rect x="271" y="154" width="48" height="10" rx="5" fill="#fff" opacity=".6"/><circle cx="320" cy="366" r="11" fill="#fff" opacity=".85"/>`,
  },
  headphones: {
    shadow: 170,
    draw: ({ soft, dark, main }) =>
      `<path d="M188 286v-20a132 140 0 0 1 264 0v20" fill="none" stroke="${dark}" stroke-width="26" stroke-linecap="round"/><path d="M236 190a102 108 0 0 1 168 0" fill="none" stroke="${soft}" stroke-width="16" stroke-linecap="round"/><rect x="150" y="256" width="76" height="140" rx="36" fill="${main}"/><rect x="414" y="256" width="76" height="140" rx="36" fill="${main}"/><rect x="206" y="264" width="34" height="124" rx="17" fill="${dark}"/><rect x="400" y="264" width="34" height="124" rx="17" fill="${dark}"/><rect x="166" y="278" width="12" height="72" rx="6" ${shine}/><rect x="462" y="278" width="12" height="72" rx="6" ${shine}/>`,
  },
  laptop: {
    shadow: 230,
    draw: ({ soft, dark, main }) =>
      `<rect x="178" y="128" width="284" height="204" rx="16" fill="${dark}"/><rect x="192" y="142" width="256" height="176" rx="6" fill="${main}"/><path d="M192 318 448 168v144a6 6 0 0 1-6 6z" fill="${soft}" opacity=".5"/><rect x="216" y="168" width="104" height="14" rx="7" fill="#fff"/><rect x="216" y="194" width="68" height="10" rx="5" fill="#fff" opacity=".6"/><path d="M128 340h384l24 44a12 12 0 0 1-10 18H114a12 12 0 0 1-10-18z" fill="${soft}"/><path d="M104 386a12 12 0 0 0 10 16h412a12 12 0 0 0 10-16z" fill="${dark}"/><path d="M152 350h336l10 18H142z" fill="${dark}" opacity=".55"/><rect x="274" y="374" width="92" height="8" rx="4" fill="${dark}" opacity=".35"/>`,
  },
  speaker: {
    shadow: 130,
    draw: ({ soft, dark, main }) =>
      `<rect x="224" y="76" width="192" height="326" rx="34" fill="${main}"/><path d="M370 76h12a34 34 0 0 1 34 34v258a34 34 0 0 1-34 34h-12z" ${shade}/><circle cx="320" cy="158" r="42" fill="${dark}"/><circle cx="320" cy="158" r="20" fill="${soft}"/><circle cx="320" cy="292" r="76" fill="${dark}"/><circle cx="320" cy="292" r="54" fill="${soft}" opacity=".35"/><circle cx="320" cy="292" r="26" fill="${soft}"/><path d="M270 262a58 58 0 0 1 40-27" fill="none" stroke="#fff" stroke-width="8" stroke-linecap="round" opacity=".5"/><circle cx="320" cy="98" r="6" fill="#fff"/>`,
  },
  smartwatch: {
    shadow: 110,
    draw: ({ soft, dark, main }) =>
      `<path d="M268 160 280 66a16 16 0 0 1 16-14h48a16 16 0 0 1 16 14l12 94zM268 304l12 86a16 16 0 0 0 16 14h48a16 16 0 0 0 16-14l12-86z" fill="${main}"/><g fill="${dark}" opacity=".5"><circle cx="320" cy="84" r="6"/><circle cx="320" cy="106" r="6"/><circle cx="320" cy="354" r="6"/><circle cx="320" cy="376" r="6"/></g><rect x="236" y="140" width="168" height="184" rx="44" fill="${dark}"/><rect x="400" y="206" width="18" height="44" rx="8" fill="${dark}"/><rect x="252" y="156" width="136" height="152" rx="30" fill="${soft}"/><circle cx="320" cy="232" r="48" fill="none" stroke="#fff" stroke-width="12"/><path d="M320 184a48 48 0 1 1-45.6 33" fill="none" stroke="${main}" stroke-width="12" stroke-linecap="round"/><path d="M320 206v28l18 12" fill="none" stroke="${dark}" stroke-width="8" stroke-linecap="round" stroke-linejoin="round"/>`,
  },
  camera: {
    shadow: 200,
    draw: ({ soft, dark, main }) =>
      `<path d="M252 150 272 112a16 16 0 0 1 14-8h68a16 16 0 0 1 14 8l20 38z" fill="${dark}"/><rect x="172" y="132" width="52" height="30" rx="8" fill="${dark}"/><rect x="140" y="148" width="360" height="252" rx="32" fill="${main}"/><path d="M140 212h360v112H140z" fill="${dark}" opacity=".85"/><circle cx="320" cy="272" r="104" fill="${soft}"/><circle cx="320" cy="272" r="86" fill="${dark}"/><circle cx="320" cy="272" r="58" fill="${main}"/><circle cx="320" cy="272" r="32" fill="${dark}"/><circle cx="298" cy="248" r="15" fill="#fff" opacity=".75"/><rect x="426" y="170" width="48" height="24" rx="8" fill="#fff" opacity=".8"/><circle cx="176" cy="182" r="9" fill="#fff" opacity=".8"/>`,
  },
  television: {
    shadow: 190,
    draw: ({ paper, soft, dark, main }) =>
      `<rect x="104" y="92" width="432" height="262" rx="14" fill="${dark}"/><rect x="116" y="104" width="408" height="232" rx="6" fill="${main}"/><circle cx="420" cy="178" r="38" fill="${paper}"/><path d="M116 336v-52l96-84 86 76 60-48 166 108z" fill="${soft}"/><path d="M116 336v-20l120-58 130 78z" fill="${dark}" opacity=".4"/><path d="M220 354h24l-20 48h-26zM396 354h24l22 48h-26z" fill="${dark}"/>`,
  },
  shirt: {
    shadow: 150,
    draw: ({ dark, main, soft }) =>
      `<path d="M252 92 176 128a24 24 0 0 0-12 13l-34 90 62 30 24-46v173a14 14 0 0 0 14 14h180a14 14 0 0 0 14-14V215l24 46 62-30-34-90a24 24 0 0 0-12-13l-76-36c-12 44-124 44-136 0z" fill="${main}"/><path d="M252 92c12 44 124 44 136 0l-16-7c-12 30-92 30-104 0z" fill="${dark}"/><path d="M130 231l62 30 6-12-63-31zM510 231l-62 30-6-12 63-31z" fill="${dark}"/><path d="M216 215l8-17c6 60 4 150-8 180zM424 215l-8-17c-6 60-4 150 8 180z" ${shade}/><rect x="346" y="188" width="44" height="48" rx="6" fill="${soft}" opacity=".7"/>`,
  },
  jacket: {
    shadow: 160,
    draw: ({ dark, main, soft }) =>
      `<path d="M250 92 184 122a30 30 0 0 0-17 20l-49 212a10 10 0 0 0 8 12l46 8a10 10 0 0 0 12-8l28-120v142a14 14 0 0 0 14 14h188a14 14 0 0 0 14-14V246l28 120a10 10 0 0 0 12 8l46-8a10 10 0 0 0 8-12l-49-212a30 30 0 0 0-17-20l-66-30z" fill="${main}"/><path d="M250 92 270 70h100l20 22-70 72z" fill="${dark}"/><path d="M280 78h80l-40 44z" fill="${soft}"/><path d="M320 164v238" stroke="${dark}" stroke-width="10"/><path d="M240 292h44M356 292h44" stroke="${dark}" stroke-width="12" stroke-linecap="round"/><path d="M212 246l10-50v200a14 14 0 0 1-10-8zM428 246l-10-50v200a14 14 0 0 0 10-8z" ${shade}/><path d="M121 338l66 12-4 24-62-8zM519 338l-66 12 4 24 62-8z" fill="${dark}"/><circle cx="336" cy="204" r="5" fill="${soft}"/><path d="M212 380h98v22h-84a14 14 0 0 1-14-14zM428 380h-98v22h84a14 14 0 0 0 14-14z" fill="${dark}" opacity=".55"/>`,
  },
  shoe: {
    shadow: 220,
    draw: ({ soft, dark, main }) =>
      `<path d="M126 356V232c0-22 14-44 34-50 8 24 46 30 74-10l26-8c22 42 74 92 150 106 64 10 104 34 104 76v10z" fill="${main}"/><path d="M160 182c8 24 46 30 74-10l26-8 14 24c-30 48-98 66-148 40v4c0-22 14-44 34-50z" fill="${soft}"/><path d="M126 300c80 10 120-2 176-66l36 26c-50 62-122 92-212 84z" fill="${dark}" opacity=".35"/><path d="M276 214l34-22M304 240l34-24M336 262l32-24M370 278l28-24" stroke="#fff" stroke-width="11" stroke-linecap="round"/><path d="M436 278c46 12 78 36 78 68v10H420c-4-30 0-58 16-78z" fill="${dark}" opacity=".3"/><path d="M118 352h404a8 8 0 0 1 8 8c0 26-14 44-40 44H150c-24 0-40-18-40-44a8 8 0 0 1 8-8z" fill="#fff"/><path d="M111 376h418c-5 18-19 28-39 28H150c-20 0-34-10-39-28z" fill="${dark}"/>`,
  },
  sunglasses: {
    shadow: 200,
    draw: ({ soft, dark, main }) =>
      `<path d="M122 236 82 300M518 236l40 64" stroke="${dark}" stroke-width="14" stroke-linecap="round" opacity=".55"/><path d="M110 222h420l-4 28H114z" fill="${dark}"/><path d="M114 228h184v62c0 56-36 90-88 90s-96-38-96-96zM342 228h184v56c0 58-44 96-96 96s-88-34-88-90z" fill="${dark}"/><path d="M132 244h150v46c0 46-30 74-72 74s-78-30-78-80zM358 244h150v40c0 50-36 80-78 80s-72-28-72-74z" fill="${main}"/><path d="M152 296l52-52h32l-76 78zM378 296l52-52h32l-76 78z" fill="${soft}" opacity=".75"/><path d="M298 252c8-12 36-12 44 0" fill="none" stroke="${dark}" stroke-width="16"/>`,
  },
  bag: {
    shadow: 170,
    draw: ({ soft, dark, main }) =>
      `<path d="M252 190v-44a68 68 0 0 1 136 0v44" fill="none" stroke="${dark}" stroke-width="18" stroke-linecap="round"/><path d="M204 172h232a18 18 0 0 1 18 16l22 192a20 20 0 0 1-20 22H184a20 20 0 0 1-20-22l22-192a18 18 0 0 1 18-16z" fill="${main}"/><path d="M400 172h36a18 18 0 0 1 18 16l22 192a20 20 0 0 1-20 22h-34z" ${shade}/><circle cx="252" cy="206" r="10" fill="${soft}"/><circle cx="388" cy="206" r="10" fill="${soft}"/><path d="M178 264h284l4 34H174z" fill="${dark}" opacity=".55"/><rect x="290" y="252" width="60" height="62" rx="12" fill="${soft}"/><rect x="312" y="270" width="16" height="26" rx="8" fill="${dark}"/>`,
  },
  backpack: {
    shadow: 150,
    draw: ({ soft, dark, main }) =>
      `<path d="M284 104V84a36 36 0 0 1 72 0v20" fill="none" stroke="${dark}" stroke-width="16"/><path d="M210 200c-30 8-40 40-40 84v70a24 24 0 0 0 40 18zM430 200c30 8 40 40 40 84v70a24 24 0 0 1-40 18z" fill="${dark}"/><path d="M204 190c0-60 48-96 116-96s116 36 116 96v178a34 34 0 0 1-34 34H238a34 34 0 0 1-34-34z" fill="${main}"/><path d="M232 192c0-42 36-66 88-66s88 24 88 66" fill="none" stroke="${dark}" stroke-width="8" stroke-linecap="round"/><rect x="238" y="252" width="164" height="126" rx="24" fill="${soft}"/><path d="M238 292h164" stroke="${dark}" stroke-width="8"/><rect x="310" y="286" width="20" height="36" rx="8" fill="${dark}"/><path d="M296 168h48l-8 44h-32z" fill="${soft}"/>`,
  },
  perfume: {
    shadow: 130,
    draw: ({ soft, dark, main }) =>
      `<rect x="280" y="78" width="80" height="70" rx="10" fill="${dark}"/><rect x="292" y="78" width="14" height="70" ${shine}/><rect x="296" y="148" width="48" height="24" fill="${soft}"/><path d="M236 172h168a30 30 0 0 1 30 30v170a30 30 0 0 1-30 30H236a30 30 0 0 1-30-30V202a30 30 0 0 1 30-30z" fill="#fff" opacity=".9"/><path d="M220 236c40-18 66 12 104 4s60-18 96-4v132a20 20 0 0 1-20 20H240a20 20 0 0 1-20-20z" fill="${main}"/><rect x="264" y="268" width="112" height="84" rx="8" fill="#fff"/><path d="M320 336c-22-16-34-26-34-38a16 16 0 0 1 34-6 16 16 0 0 1 34 6c0 12-12 22-34 38z" fill="${main}"/><rect x="228" y="190" width="10" height="40" rx="5" fill="${soft}"/>`,
  },
  mixer: {
    shadow: 190,
    draw: ({ soft, dark, main }) =>
      `<rect x="178" y="370" width="290" height="32" rx="16" fill="${dark}"/><path d="M196 370V176h88v194z" fill="${main}"/><path d="M256 176h28v194h-28z" ${shade}/><path d="M216 88h206a62 62 0 0 1 62 62v8a34 34 0 0 1-34 34H216a52 52 0 0 1 0-104z" fill="${main}"/><path d="M200 134h284" stroke="#fff" stroke-width="8" opacity=".35"/><circle cx="226" cy="160" r="12" fill="${dark}"/><rect x="372" y="192" width="52" height="20" fill="${dark}"/><path d="M398 206v40m-26 6c0 40 10 54 26 54s26-14 26-54z" fill="none" stroke="${dark}" stroke-width="9"/><path d="M310 262h176c0 74-30 108-88 108s-88-34-88-108z" fill="#fff"/><path d="M310 262h176l-3 26H313z" fill="${soft}"/>`,
  },
  lamp: {
    shadow: 130,
    draw: ({ soft, dark, main }) =>
      `<path d="M236 222 176 400h288l-60-178z" fill="#fff6d6" opacity=".55"/><rect x="311" y="214" width="18" height="166" fill="${dark}"/><path d="M244 402c0-20 34-30 76-30s76 10 76 30z" fill="${dark}"/><path d="M276 78h88a14 14 0 0 1 13 10l43 132H220L263 88a14 14 0 0 1 13-10z" fill="${main}"/><path d="M350 78h14a14 14 0 0 1 13 10l43 132h-42z" ${shade}/><path d="M214 214h212l4 20H210z" fill="${soft}"/><path d="M372 234v44" stroke="${dark}" stroke-width="4"/><circle cx="372" cy="284" r="8" fill="${main}"/>`,
  },
  kettle: {
    shadow: 160,
    draw: ({ soft, dark, main }) =>
      `<path d="M220 268C170 262 190 180 126 160l22-18c70 10 56 66 90 84z" fill="${main}"/><path d="M408 176c104-20 112 140 14 166" fill="none" stroke="${dark}" stroke-width="24" stroke-linecap="round"/><path d="M240 156h160l38 206a18 18 0 0 1-18 22H220a18 18 0 0 1-18-22z" fill="${main}"/><path d="M368 156h32l38 206a18 18 0 0 1-18 22h-24z" ${shade}/><path d="M262 180h14l-20 164h-18z" ${shine}/><rect x="228" y="132" width="184" height="28" rx="14" fill="${dark}"/><rect x="304" y="98" width="32" height="36" rx="14" fill="${dark}"/><rect x="184" y="380" width="272" height="24" rx="12" fill="${dark}"/><circle cx="336" cy="392" r="6" fill="${soft}"/>`,
  },
  pan: {
    shadow: 220,
    draw: ({ soft, dark, main }) =>
      `<path d="M414 302 566 250a16 16 0 0 1 20 10l4 10a16 16 0 0 1-10 20L420 348z" fill="${dark}"/><circle cx="566" cy="272" r="8" fill="${soft}"/><path d="M92 280h348l-22 96a34 34 0 0 1-33 26H147a34 34 0 0 1-33-26z" fill="${main}"/><path d="M98 306h336l-6 26H104z" ${shade}/><ellipse cx="266" cy="280" rx="178" ry="40" fill="${dark}"/><ellipse cx="266" cy="284" rx="154" ry="28" fill="${soft}" opacity=".35"/><path d="M198 282c0-22 46-30 78-24 40-6 62 10 58 24s-44 22-72 18c-34 4-64-4-64-18z" fill="#fff"/><ellipse cx="268" cy="276" rx="26" ry="14" fill="#f2b632"/><path d="M198 216c-16-20 16-34 0-58m68 58c-16-20 16-34 0-58m68 58c-16-20 16-34 0-58" fill="none" stroke="${soft}" stroke-width="11" stroke-linecap="round"/>`,
  },
  armchair: {
    shadow: 200,
    draw: ({ soft, dark, main }) =>
      `<path d="M204 372l-14 32h18l24-32zM436 372l14 32h-18l-24-32z" fill="${dark}"/><path d="M204 250V146a60 60 0 0 1 60-60h112a60 60 0 0 1 60 60v104z" fill="${main}"/><path d="M320 86h-8v160h16V86z" ${shade}/><path d="M132 246a40 40 0 0 1 80 0v62h216v-62a40 40 0 0 1 80 0v102a30 30 0 0 1-30 30H162a30 30 0 0 1-30-30z" fill="${main}"/><path d="M132 246a40 40 0 0 1 80 0v62h216v-62a40 40 0 0 1 80 0v102a30 30 0 0 1-30 30H162a30 30 0 0 1-30-30z" fill="${dark}" opacity=".28"/><rect x="208" y="262" width="224" height="56" rx="24" fill="${soft}"/><rect x="272" y="180" width="96" height="96" rx="16" transform="rotate(10 320 228)" fill="${dark}"/><path d="M286 216l72 14" stroke="${soft}" stroke-width="10" stroke-linecap="round"/>`,
  },
  gift: {
    shadow: 170,
    draw: ({ soft, dark, main }) =>
      `<rect x="180" y="222" width="280" height="180" rx="12" fill="${main}"/><path d="M180 222h280v34H180z" ${shade}/><rect x="160" y="170" width="320" height="64" rx="12" fill="${main}"/><path d="M296 170h48v232h-48z" fill="${soft}"/><path d="M316 166c-40 10-112 0-104-44 8-40 76-30 104 44zM324 166c40 10 112 0 104-44-8-40-76-30-104 44z" fill="none" stroke="${dark}" stroke-width="20" stroke-linejoin="round"/><circle cx="320" cy="164" r="18" fill="${dark}"/><path d="M372 286l54-20 22 22v58h-54z" fill="#fff" transform="rotate(8 410 300)"/><circle cx="424" cy="292" r="6" fill="${dark}"/>`,
  },
  dumbbell: {
    shadow: 220,
    draw: ({ soft, dark, main }) =>
      `<rect x="96" y="268" width="448" height="28" rx="12" fill="${soft}"/><rect x="232" y="262" width="176" height="40" rx="14" fill="${dark}"/><path d="M256 264v36M288 264v36M320 264v36M352 264v36M384 264v36" stroke="${soft}" stroke-width="5" opacity=".6"/><rect x="174" y="162" width="58" height="240" rx="20" fill="${main}"/><rect x="408" y="162" width="58" height="240" rx="20" fill="${main}"/><rect x="122" y="200" width="50" height="164" rx="18" fill="${dark}"/><rect x="468" y="200" width="50" height="164" rx="18" fill="${dark}"/><rect x="186" y="182" width="12" height="110" rx="6" ${shine}/><rect x="420" y="182" width="12" height="110" rx="6" ${shine}/>`,
  },
  kettlebell: {
    shadow: 150,
    draw: ({ soft, dark, main }) =>
      `<path d="M238 236 222 138a56 56 0 0 1 56-64h84a56 56 0 0 1 56 64l-16 98" fill="none" stroke="${dark}" stroke-width="36" stroke-linejoin="round"/><path d="M320 178c76 0 126 52 126 122 0 46-22 78-46 102H240c-24-24-46-56-46-102 0-70 50-122 126-122z" fill="${main}"/><path d="M402 204c28 22 44 56 44 96 0 46-22 78-46 102h-52c62-48 84-120 54-198z" ${shade}/><circle cx="320" cy="298" r="62" fill="${soft}"/><path d="M296 270v56M298 300l36-30M304 296l34 30" fill="none" stroke="${dark}" stroke-width="12" stroke-linecap="round"/><path d="M262 84c8-8 20-10 32-10" stroke="#fff" stroke-width="8" stroke-linecap="round" opacity=".35"/>`,
  },
  yogamat: {
    shadow: 240,
    draw: ({ soft, dark, main }) =>
      `<path d="M196 402h348a14 14 0 0 0 14-14v-12H196z" fill="${dark}"/><path d="M182 222h210a90 90 0 0 1 90 90c0 36-18 66-46 84H182z" fill="${main}"/><path d="M182 222h210a90 90 0 0 1 58 22H230z" ${shine}/><path d="M248 232h28v170h-28zM366 232h28v170h-28z" fill="${dark}" opacity=".75"/><circle cx="182" cy="312" r="90" fill="${soft}"/><path d="M182 312m0-8a16 16 0 0 1 0 32 34 34 0 0 1-8-66 52 52 0 0 1 14 100 70 70 0 0 1-28-138" fill="none" stroke="${main}" stroke-width="12" stroke-linecap="round"/><path d="M262 232c0-90 118-90 118 0" fill="none" stroke="${dark}" stroke-width="14" opacity=".75"/>`,
  },
  bottle: {
    shadow: 100,
    draw: ({ soft, dark, main }) =>
      `<path d="M292 86V70a28 28 0 0 1 56 0v16" fill="none" stroke="${dark}" stroke-width="14"/><rect x="268" y="82" width="104" height="52" rx="12" fill="${dark}"/><rect x="280" y="134" width="80" height="18" fill="${soft}"/><path d="M280 150h80c4 26 30 34 30 66v154a32 32 0 0 1-32 32h-76a32 32 0 0 1-32-32V216c0-32 26-40 30-66z" fill="${main}"/><path d="M352 150h8c4 26 30 34 30 66v154a32 32 0 0 1-32 32h-16c20-70 22-180 10-252z" ${shade}/><path d="M250 250h140v92H250z" fill="${soft}"/><path d="M320 264c18 22 24 32 24 42a24 24 0 0 1-48 0c0-10 6-20 24-42z" fill="${main}"/><rect x="266" y="196" width="12" height="40" rx="6" ${shine}/>`,
  },
  scale: {
    shadow: 200,
    draw: ({ soft, dark, main }) =>
      `<path d="M178 120h284a40 40 0 0 1 40 36l18 196a40 40 0 0 1-40 44H160a40 40 0 0 1-40-44l18-196a40 40 0 0 1 40-36z" fill="${dark}"/><path d="M180 112h280a40 40 0 0 1 40 36l16 188a40 40 0 0 1-40 44H164a40 40 0 0 1-40-44l16-188a40 40 0 0 1 40-36z" fill="${main}"/><rect x="242" y="138" width="156" height="72" rx="16" fill="${dark}"/><path d="M274 188v-28m22 0v28h20v-28h-20m40 0h20v14h-20v14h20" fill="none" stroke="${soft}" stroke-width="7" stroke-linejoin="round"/><path d="M232 246c28 0 38 26 34 58s-16 48-34 48-34-16-36-48 10-58 36-58zM408 246c-28 0-38 26-34 58s16 48 34 48 34-16 36-48-10-58-36-58z" fill="${soft}" opacity=".7"/>`,
  },
  bicycle: {
    shadow: 230,
    draw: ({ soft, dark, main }) =>
      `<circle cx="196" cy="312" r="86" fill="${soft}" fill-opacity=".5" stroke="${dark}" stroke-width="13"/><circle cx="444" cy="312" r="86" fill="${soft}" fill-opacity=".5" stroke="${dark}" stroke-width="13"/><path d="M110 312h172M196 226v172M358 312h172M444 226v172M135 251l122 122M383 251l122 122M257 251 135 373M505 251 383 373" stroke="${dark}" stroke-width="2" opacity=".45"/><path d="M196 312 264 190h140L306 316H196M306 316 256 168M444 312 392 136" fill="none" stroke="${main}" stroke-width="16" stroke-linejoin="round" stroke-linecap="round"/><path d="M392 138h34a24 24 0 0 1 4 48" fill="none" stroke="${dark}" stroke-width="13" stroke-linecap="round"/><path d="M216 154h70c10 0 10 18-2 18l-54 6c-18 2-26-24-14-24z" fill="${dark}"/><circle cx="306" cy="316" r="24" fill="${dark}"/><path d="M306 316l22 42m-12 0h26" stroke="${dark}" stroke-width="9" stroke-linecap="round"/><circle cx="196" cy="312" r="11" fill="${main}"/><circle cx="444" cy="312" r="11" fill="${main}"/>`,
  },
  book: {
    shadow: 150,
    draw: ({ soft, dark, main }) =>
      `<path d="M216 84h214v318H228a30 30 0 0 1-30-30V102a18 18 0 0 1 18-18z" fill="${dark}"/><path d="M228 352h196v38H228a19 19 0 0 1 0-38z" fill="#fff"/><path d="M236 364h188M236 376h188" stroke="${soft}" stroke-width="3"/><path d="M226 76h206a12 12 0 0 1 12 12v264H228a30 30 0 0 0-16 5V90a14 14 0 0 1 14-14z" fill="${main}"/><path d="M212 90a14 14 0 0 1 14-14h18v276h-16a30 30 0 0 0-16 5z" fill="${dark}" opacity=".35"/><rect x="276" y="118" width="136" height="18" rx="9" fill="#fff"/><rect x="276" y="150" width="92" height="12" rx="6" fill="#fff" opacity=".7"/><circle cx="344" cy="254" r="54" fill="${soft}"/><path d="M290 258c30-38 60 18 108-12-4 34-26 62-54 62s-48-18-54-50z" fill="${dark}" opacity=".6"/>`,
  },
  bookstack: {
    shadow: 200,
    draw: ({ soft, dark, main }) => {
      const page = (x: number, y: number, width: number) =>
        `<rect x="${x}" y="${y}" width="${width}" height="44" fill="#fff"/><path d="M${x} ${y + 15}h${width}M${x} ${y + 29}h${width}" stroke="${soft}" stroke-width="3"/>`;
      return `<rect x="144" y="334" width="348" height="68" rx="14" fill="${dark}"/>${page(208, 346, 284)}<rect x="176" y="264" width="312" height="70" rx="14" fill="${main}"/>${page(176, 277, 250)}<rect x="154" y="196" width="292" height="68" rx="14" fill="${soft}"/>${page(206, 208, 240)}<path d="M430 386c0 6 2 12 0 16h-24v-60h24z" fill="${main}"/><rect x="446" y="282" width="12" height="36" rx="6" fill="#fff" opacity=".7"/><rect x="168" y="350" width="12" height="36" rx="6" fill="#fff" opacity=".5"/><path d="M262 196c-8-50 10-70 10-94h58c0 24 18 44 10 94z" fill="${main}"/><path d="M301 196v-30m0-64c-34-4-44-30-34-52 22 4 34 24 34 52zm0 0c30-4 42-26 36-48-22 4-36 22-36 48z" fill="${dark}"/><path d="M266 150h70l4 22h-78z" ${shade}/>`;
    },
  },
  car: {
    shadow: 250,
    draw: ({ soft, dark, main }) =>
      `<path d="M92 342v-58c0-20 12-34 32-38l58-12 52-76a44 44 0 0 1 36-18h108a60 60 0 0 1 46 22l58 70 46 12a30 30 0 0 1 22 29v69a16 16 0 0 1-16 16H108a16 16 0 0 1-16-16z" fill="${main}"/><path d="M214 236l40-60a20 20 0 0 1 16-8h36v68zM326 168h50a34 34 0 0 1 26 12l46 56H326z" fill="${soft}"/><path d="M236 236l34-66h24l-36 66zM346 236v-68h16v68z" fill="#fff" opacity=".5"/><path d="M92 306h458v36a16 16 0 0 1-16 16H108a16 16 0 0 1-16-16z" ${shade}/><rect x="342" y="256" width="38" height="10" rx="5" fill="${dark}"/><path d="M92 276h30a12 12 0 0 1 0 24H92zM550 274h-22a12 12 0 0 0 0 24h22z" fill="#fff6d6"/><circle cx="188" cy="352" r="52" fill="${dark}"/><circle cx="188" cy="352" r="24" fill="${soft}"/><circle cx="456" cy="352" r="52" fill="${dark}"/><circle cx="456" cy="352" r="24" fill="${soft}"/>`,
  },
  tire: {
    shadow: 150,
    draw: ({ soft, dark, main }) => {
      const spokes = [0, 72, 144, 216, 288]
        .map((angle) => `<path d="M306 244l6-74h16l6 74z" transform="rotate(${angle} 320 244)"/>`)
        .join('');
      return `<circle cx="320" cy="244" r="160" fill="${dark}"/><circle cx="320" cy="244" r="150" fill="none" stroke="#fff" stroke-width="10" stroke-dasharray="16 10" opacity=".18"/><circle cx="320" cy="244" r="106" fill="#000" opacity=".25"/><circle cx="320" cy="244" r="98" fill="${soft}"/><circle cx="320" cy="244" r="84" fill="${dark}" opacity=".7"/><g fill="${main}" stroke="${main}" stroke-width="14" stroke-linejoin="round">${spokes}</g><circle cx="320" cy="244" r="90" fill="none" stroke="${main}" stroke-width="14"/><circle cx="320" cy="244" r="30" fill="${soft}"/><circle cx="320" cy="244" r="12" fill="${dark}"/><path d="M204 170a138 138 0 0 1 66-56" fill="none" stroke="#fff" stroke-width="10" stroke-linecap="round" opacity=".35"/>`;
    },
  },
  battery: {
    shadow: 190,
    draw: ({ soft, dark, main }) =>
      `<path d="M204 152V118h56v34M380 152V118h56v34" fill="none" stroke="${dark}" stroke-width="22" stroke-linejoin="round"/><rect x="146" y="150" width="348" height="252" rx="24" fill="${main}"/><path d="M146 174a24 24 0 0 1 24-24h300a24 24 0 0 1 24 24v34H146z" fill="${dark}"/><path d="M440 208h54v170a24 24 0 0 1-24 24h-30z" ${shade}/><path d="M184 246h44m-22-22v44M412 246h44" stroke="#fff" stroke-width="12" stroke-linecap="round"/><path d="M340 220 264 318h48l-14 64 78-98h-48z" fill="${soft}" stroke="${soft}" stroke-width="8" stroke-linejoin="round"/><circle cx="176" cy="180" r="8" fill="${soft}"/><circle cx="202" cy="180" r="8" fill="${soft}" opacity=".5"/>`,
  },
  controller: {
    shadow: 210,
    draw: ({ paper, soft, dark, main }) =>
      `<path d="M196 146h44a20 20 0 0 1 18 12h124a20 20 0 0 1 18-12h44z" fill="${dark}"/><path d="M190 156h260c64 0 94 66 98 150 3 68-54 80-88 40l-36-42H216l-36 42c-34 40-91 28-88-40 4-84 34-150 98-150z" fill="${main}"/><path d="M548 306c3 68-54 80-88 40l-36-42H216l-36 42c-34 40-91 28-88-40 20 34 52 26 76 0l40-40h224l40 40c24 26 56 34 76 0z" ${shade}/><path d="M202 196h26v24h24v26h-24v24h-26v-24h-24v-26h24z" fill="${dark}"/><circle cx="424" cy="202" r="15" fill="#fff"/><circle cx="458" cy="234" r="15" fill="${soft}"/><circle cx="390" cy="234" r="15" fill="${dark}"/><circle cx="424" cy="266" r="15" fill="${paper}"/><rect x="284" y="200" width="28" height="12" rx="6" fill="${dark}"/><rect x="328" y="200" width="28" height="12" rx="6" fill="${dark}"/><circle cx="320" cy="246" r="14" fill="${soft}"/>`,
  },
  keyboard: {
    shadow: 260,
    draw: ({ paper, soft, dark, main }) => {
      return `<path d="M320 190v-34c0-34-60-20-60-62V62" fill="none" stroke="${dark}" stroke-width="10" stroke-linecap="round"/><rect x="72" y="196" width="496" height="206" rx="26" fill="${dark}"/><rect x="72" y="186" width="496" height="200" rx="26" fill="${main}"/><rect x="90" y="204" width="460" height="164" rx="12" fill="${dark}"/>${keyRow(104, 228, 12, '#fff')}${keyRow(104, 264, 12, paper)}${keyRow(104, 300, 12, '#fff')}<path d="M104 228h28" stroke="${main}" stroke-width="28"/><rect x="500" y="250" width="32" height="64" fill="${main}"/><rect x="104" y="322" width="64" height="28" fill="${soft}"/><rect x="176" y="322" width="244" height="28" fill="#fff"/><rect x="428" y="322" width="104" height="28" fill="${soft}"/>`;
    },
  },
  mouse: {
    shadow: 130,
    draw: ({ soft, dark, main }) =>
      `<path d="M320 116C320 70 372 92 372 44" fill="none" stroke="${dark}" stroke-width="10" stroke-linecap="round"/><path d="M320 108c68 0 102 50 102 112v84c0 60-44 98-102 98s-102-38-102-98v-84c0-62 34-112 102-112z" fill="${main}"/><path d="M320 108c68 0 102 50 102 112v84c0 60-44 98-102 98 40-30 54-60 54-120 0-80-14-150-54-174z" ${shade}/><path d="M320 108v122M218 232c60 22 144 22 204 0" fill="none" stroke="${dark}" stroke-width="8"/><rect x="302" y="146" width="36" height="64" rx="18" fill="${dark}"/><path d="M312 162h16m-16 14h16m-16 14h16" stroke="${soft}" stroke-width="5"/><path d="M220 280c14 4 14 46 4 52" fill="none" stroke="${dark}" stroke-width="10" stroke-linecap="round"/><path d="M292 322a40 40 0 0 0 56 0" fill="none" stroke="${soft}" stroke-width="10" stroke-linecap="round"/>`,
  },
  dice: {
    shadow: 220,
    draw: ({ soft, dark, main }) =>
      `<path d="M206 140 326 196v138L206 402 92 334V196z" fill="${main}"/><path d="M206 140 326 196 206 260 92 196z" fill="${soft}"/><path d="M206 260v142l120-68V196z" ${shade}/><ellipse cx="208" cy="200" rx="18" ry="11" fill="${dark}"/><g fill="#fff"><ellipse cx="122" cy="248" rx="11" ry="15"/><ellipse cx="176" cy="346" rx="11" ry="15"/><ellipse cx="149" cy="298" rx="11" ry="15"/><ellipse cx="240" cy="276" rx="11" ry="15"/><ellipse cx="292" cy="312" rx="11" ry="15"/></g><path d="M450 214a40 40 0 0 1 24 72c10 6 46 90 54 100 4 8 0 16-8 16H380c-8 0-12-8-8-16 8-10 44-94 54-100a40 40 0 0 1 24-72z" fill="${dark}"/><path d="M424 292h52" stroke="${main}" stroke-width="14" stroke-linecap="round"/><circle cx="436" cy="240" r="10" ${shine}/>`,
  },
  drill: {
    shadow: 190,
    draw: ({ soft, dark, main }) =>
      `<path d="M224 222h106l18 126H246z" fill="${main}"/><path d="M290 222h40l18 126h-40z" ${shade}/><rect x="208" y="344" width="164" height="58" rx="16" fill="${dark}"/><rect x="224" y="358" width="40" height="10" rx="5" fill="${soft}"/><path d="M166 112h230a40 40 0 0 1 40 40v36a44 44 0 0 1-44 44H196a48 48 0 0 1-48-48v-54a18 18 0 0 1 18-18z" fill="${main}"/><path d="M148 172h288v16a44 44 0 0 1-44 44H196a48 48 0 0 1-48-48z" ${shade}/><path d="M180 142h60m-60 22h60m-60 22h60" stroke="${dark}" stroke-width="9" stroke-linecap="round"/><path d="M436 134h36l22 16v40l-22 16h-36z" fill="${dark}"/><path d="M494 162h74l18 8-18 8h-74z" fill="${soft}" stroke="${dark}" stroke-width="4"/><path d="M336 236h22c6 22 2 40-10 52h-6z" fill="${dark}"/>`,
  },
  toolbox: {
    shadow: 230,
    draw: ({ soft, dark, main }) =>
      `<path d="M240 190v-40a26 26 0 0 1 26-26h108a26 26 0 0 1 26 26v40" fill="none" stroke="${dark}" stroke-width="22"/><path d="M150 184h340l28 66H122z" fill="${main}"/><path d="M150 184h340l12 28H138z" ${shine}/><rect x="112" y="246" width="416" height="156" rx="16" fill="${main}"/><path d="M112 262a16 16 0 0 1 16-16h384a16 16 0 0 1 16 16v30H112z" fill="${dark}"/><path d="M112 350h416v36a16 16 0 0 1-16 16H128a16 16 0 0 1-16-16z" ${shade}/><rect x="180" y="240" width="44" height="66" rx="8" fill="${soft}"/><rect x="416" y="240" width="44" height="66" rx="8" fill="${soft}"/><rect x="194" y="278" width="16" height="14" rx="4" fill="${dark}"/><rect x="430" y="278" width="16" height="14" rx="4" fill="${dark}"/><rect x="276" y="316" width="88" height="34" rx="8" fill="#fff" opacity=".85"/>`,
  },
  wrench: {
    shadow: 190,
    draw: ({ soft, dark, main }) =>
      `<g transform="rotate(42 320 240)"><rect x="288" y="150" width="64" height="230" rx="28" fill="${main}"/><path d="M288 44v58l32 22 32-22V44c38 14 62 46 62 84 0 50-42 88-94 88s-94-38-94-88c0-38 24-70 62-84z" fill="${main}"/><path d="M352 44v58l-32 22v92c52 0 94-38 94-88 0-38-24-70-62-84z" ${shade}/><circle cx="320" cy="386" r="58" fill="${main}"/><circle cx="320" cy="386" r="28" fill="${dark}"/><rect x="308" y="226" width="24" height="92" rx="12" fill="${dark}" opacity=".45"/></g><g transform="translate(430 292)"><path d="M0 58 22 20h44l22 38-22 38H22z" fill="${dark}"/><circle cx="44" cy="58" r="20" fill="${soft}"/></g>`,
  },
  hammer: {
    shadow: 160,
    draw: ({ soft, dark, main }) =>
      `<g transform="rotate(24 320 240)"><rect x="298" y="130" width="44" height="130" fill="${soft}"/><path d="M292 236h56l8 160a18 18 0 0 1-18 18h-36a18 18 0 0 1-18-18z" fill="${main}"/><path d="M292 280h57m-59 34h61m-62 34h63" stroke="${dark}" stroke-width="7" opacity=".5"/><path d="M274 84h92v80h-92c-52-6-82-2-112 26-10-60 40-106 112-106z" fill="${dark}"/><rect x="366" y="92" width="36" height="64" fill="${main}"/><rect x="398" y="78" width="46" height="92" rx="12" fill="${dark}"/><rect x="276" y="94" width="86" height="12" rx="6" ${shine}/></g>`,
  },
  flashlight: {
    shadow: 190,
    draw: ({ soft, dark, main }) =>
      `<path d="M392 184 600 84v320L392 300z" fill="#fff6d6" opacity=".75"/><path d="M392 200l150-66v212l-150-62z" fill="#fff" opacity=".4"/><rect x="72" y="202" width="240" height="84" rx="16" fill="${main}"/><path d="M72 250h240v36H88a16 16 0 0 1-16-16z" ${shade}/><path d="M300 202 356 168h28a18 18 0 0 1 18 18v116a18 18 0 0 1-18 18h-28l-56-34z" fill="${dark}"/><rect x="384" y="178" width="22" height="132" rx="11" fill="${soft}"/><rect x="212" y="190" width="56" height="22" rx="10" fill="${dark}"/><path d="M108 202v84m28-84v84m28-84v84" stroke="${dark}" stroke-width="9" opacity=".55"/><path d="M72 226c-40 0-40 40 0 40" fill="none" stroke="${dark}" stroke-width="10"/>`,
  },
} as const satisfies Record<string, Drawing>;
