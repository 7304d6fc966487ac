const languageCodes: Record<string, string> = {
  english: 'en',
  french: 'fr',
  german: 'de',
  spanish: 'es',
  italian: 'it',
  dutch: 'nl',
  portuguese: 'pt',
  russian: 'ru',
  polish: 'pl',
  swedish: 'sv',
  norwegian: 'no',
  danish: 'da',
  finnish: 'fi',
  czech: 'cs',
  turkish: 'tr',
  greek: 'el',
  arabic: 'ar',
  hebrew: 'he',
  hindi: 'hi',
  chinese: 'zh',
  japanese: 'ja',
  korean: 'ko',
  eng: 'en',
  fre: 'fr',
  fra: 'fr',
  ger: 'de',
  deu: 'de',
  spa: 'es',
  ita: 'it',
  dut: 'nl',
  nld: 'nl',
  por: 'pt',
  rus: 'ru',
  pol: 'pl',
  swe: 'sv',
  nor: 'no',
  dan: 'da',
  fin: 'fi',
  cze: 'cs',
  ces: 'cs',
  tur: 'tr',
  gre: 'el',
  ell: 'el',
  ara: 'ar',
  heb: 'he',
  hin: 'hi',
  chi: 'zh',
  zho: 'zh',
  jpn: 'ja',
  kor: 'ko',
  ukr: 'uk',
  hun: 'hu',
  rum: 'ro',
  ron: 'ro',
  bul: 'bg',
  hrv: 'hr',
  srp: 'sr',
  slv: 'sl',
  tha: 'th',
  vie: 'vi',
  ind: 'id',
};
const twoLetters = new Set([
  ...Object.values(languageCodes),
  'sk',
  'et',
  'lv',
  'lt',
  'ca',
  'eu',
  'gl',
  'is',
  'fa',
  'ur',
  'ms',
  'bn',
  'ta',
  'te',
  'mk',
  'sq',
  'bs',
  'ga',
  'cy',
]);

/** What the dotted parts before the ending say: `film.pt-BR.forced.srt`. Only the last three parts count, so that a title is not read as a language. */
export function languageInName(filename: string): { language?: string; forced?: boolean; hearing_impaired?: boolean } {
  const parts = filename.split('.').slice(1, -1).slice(-3);
  const found: { language?: string; forced?: boolean; hearing_impaired?: boolean } = {};
  for (const part of parts.reverse()) {
    const word = part.toLowerCase().trim();
    if (word === 'forced' || word === 'foreign') found.forced = true;
    else if (word === 'sdh' || word === 'cc' || (word === 'hi' && found.language === undefined && parts.length > 1))
      found.hearing_impaired = true;
    else if (word !== 'default' && word !== 'full') {
      const [base = '', region] = word.split(/[-_]/);
      const code = languageCodes[base] ?? (twoLetters.has(base) ? base : undefined);
      if (code !== undefined) found.language ??= region && /^[a-z]{2}$/.test(region) ? `${code}-${region.toUpperCase()}` : code;
      break;
    }
  }
  return found;
}
