/** The named character references of HTML 4. Each word is a name followed by its character. */
// biome-ignore format: a dense table.
const latin = [
  'iexcl¡ cent¢ pound£ curren¤ yen¥ brvbar¦ sect§ uml¨ copy© ordfª laquo« not¬ reg® macr¯ deg° plusmn± sup2² sup3³ acute´',
  'microµ para¶ middot· cedil¸ sup1¹ ordmº raquo» frac14¼ frac12½ frac34¾ iquest¿ AgraveÀ AacuteÁ AcircÂ AtildeÃ AumlÄ',
  'AringÅ AEligÆ CcedilÇ EgraveÈ EacuteÉ EcircÊ EumlË IgraveÌ IacuteÍ IcircÎ IumlÏ ETHÐ NtildeÑ OgraveÒ OacuteÓ OcircÔ',
  'OtildeÕ OumlÖ times× OslashØ UgraveÙ UacuteÚ UcircÛ UumlÜ YacuteÝ THORNÞ szligß agraveà aacuteá acircâ atildeã aumlä',
  'aringå aeligæ ccedilç egraveè eacuteé ecircê eumlë igraveì iacuteí icircî iumlï ethð ntildeñ ograveò oacuteó ocircô',
  'otildeõ oumlö divide÷ oslashø ugraveù uacuteú ucircû uumlü yacuteý thornþ yumlÿ',
];
// biome-ignore format: a dense table.
const others = [
  'OEligŒ oeligœ ScaronŠ scaronš YumlŸ fnofƒ circˆ tilde˜ AlphaΑ BetaΒ GammaΓ DeltaΔ EpsilonΕ ZetaΖ EtaΗ ThetaΘ IotaΙ',
  'KappaΚ LambdaΛ MuΜ NuΝ XiΞ OmicronΟ PiΠ RhoΡ SigmaΣ TauΤ UpsilonΥ PhiΦ ChiΧ PsiΨ OmegaΩ alphaα betaβ gammaγ deltaδ',
  'epsilonε zetaζ etaη thetaθ iotaι kappaκ lambdaλ muμ nuν xiξ omicronο piπ rhoρ sigmafς sigmaσ tauτ upsilonυ phiφ chiχ',
  'psiψ omegaω thetasymϑ upsihϒ pivϖ ensp\u2002 emsp\u2003 thinsp\u2009 zwnj\u200c zwj\u200d lrm\u200e rlm\u200f ndash–',
  'mdash— lsquo‘ rsquo’ sbquo‚ ldquo“ rdquo” bdquo„ dagger† Dagger‡ bull• hellip… permil‰ prime′ Prime″ lsaquo‹ rsaquo›',
  'oline‾ frasl⁄ euro€ imageℑ weierp℘ realℜ trade™ alefsymℵ larr← uarr↑ rarr→ darr↓ harr↔ crarr↵ lArr⇐ uArr⇑ rArr⇒ dArr⇓',
  'hArr⇔ forall∀ part∂ exist∃ empty∅ nabla∇ isin∈ notin∉ ni∋ prod∏ sum∑ minus− lowast∗ radic√ prop∝ infin∞ ang∠ and∧ or∨',
  'cap∩ cup∪ int∫ there4∴ sim∼ cong≅ asymp≈ ne≠ equiv≡ le≤ ge≥ sub⊂ sup⊃ nsub⊄ sube⊆ supe⊇ oplus⊕ otimes⊗ perp⊥ sdot⋅',
  'lceil⌈ rceil⌉ lfloor⌊ rfloor⌋ lang〈 rang〉 loz◊ spades♠ clubs♣ hearts♥ diams♦',
];

const table = (lines: readonly string[]): [string, string][] =>
  lines.flatMap((line) => line.split(' ')).map((word) => [word.slice(0, -1), word.slice(-1)]);

/** References that pages write without the semicolon, too. */
const latinEntities: ReadonlyMap<string, string> = new Map([
  ...table(latin),
  ['nbsp', ' '],
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['shy', ''],
]);
const entities: ReadonlyMap<string, string> = new Map([...latinEntities, ...table(others), ['apos', "'"]]);

/** Old pages number characters as in Windows-1252, where 128 to 159 are letters and quotation marks. */
const windows = new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 32 }, (_, n) => 128 + n));

export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z][a-z0-9]{1,8}))(;?)/gi,
    (match, decimal?: string, hex?: string, name?: string, end?: string) => {
      if (name !== undefined) {
        const known = end === ';' ? entities : latinEntities;
        return known.get(name) ?? (end === ';' ? known.get(name.toLowerCase()) : undefined) ?? match;
      }
      const code = decimal !== undefined ? Number(decimal) : Number.parseInt(hex as string, 16);
      if (code >= 128 && code < 160) return windows[code - 128] as string;
      return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : '';
    },
  );
}
