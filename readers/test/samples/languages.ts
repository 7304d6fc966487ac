/** Texts in fifteen languages and the encodings they were written in before UTF-8, for tests of character sets. */
import { charsetDecoder } from '../../src/input/charset.ts';

const paragraphs: Record<string, { encodings: readonly string[]; text: string }> = {
  English: {
    encodings: ['windows-1252', 'macintosh', 'ibm850'],
    text: 'The café’s owner said: “Our naïve résumé of the façade cost £40 — nothing more.” Later the coöperative wrote that the fiancée’s entrée had been served à la carte, and the price was £12, which is rather dear for a town where a fish and chips costs £7. The committee’s reply — a terse “no” — arrived the next morning with an invoice for £3.',
  },
  German: {
    encodings: ['windows-1252', 'iso-8859-1', 'ibm850', 'ibm437'],
    text: 'Die Prüfung der Unterlagen hat länger gedauert als ursprünglich geplant, weil einige Anhänge fehlten. Wir möchten Sie daher bitten, die Rechnungen für März und Mai möglichst früh zu übersenden. Größere Beträge müssen wie üblich von der Geschäftsführung bestätigt werden. Außerdem wäre es schön, wenn die Straßenbauarbeiten vor Weihnachten abgeschlossen würden.',
  },
  French: {
    encodings: ['windows-1252', 'iso-8859-15', 'macintosh', 'ibm850'],
    text: 'La réunion prévue à neuf heures a été reportée à cause de la grève des chemins de fer. Les élèves qui étaient déjà arrivés ont été accueillis dans la bibliothèque, où le maître leur a raconté l’histoire du château. Après le déjeuner, chacun a pu visiter le musée et goûter les pâtisseries préparées par le boulanger du village voisin.',
  },
  Spanish: {
    encodings: ['windows-1252', 'iso-8859-1', 'ibm850'],
    text: 'Mañana por la mañana comenzará la reunión de la compañía en el salón pequeño. ¿Quién traerá los documentos del año pasado? Según el señor Núñez, la mayoría de los niños todavía no ha recibido la información. El avión llegará a las diez y después habrá una excursión por las montañas más cercanas, aunque el pronóstico anuncia lluvia.',
  },
  Polish: {
    encodings: ['windows-1250', 'iso-8859-2', 'ibm852'],
    text: 'Zażółć gęślą jaźń, mówiła babcia, gdy uczyliśmy się pisać. Wczoraj wieczorem spadł śnieg i wszystkie ścieżki w lesie zniknęły. Dzieci zbudowały bałwana, a później piły gorącą herbatę z miodem. Sąsiad przyniósł książkę o podróżach, którą dostał od swojego przyjaciela z Łodzi. Następnego dnia świeciło słońce.',
  },
  Czech: {
    encodings: ['windows-1250', 'iso-8859-2', 'ibm852'],
    text: 'Příliš žluťoučký kůň úpěl ďábelské ódy, zatímco děti běžely přes dvůr ke škole. Včera večer přišla babička a přinesla koláče s tvarohem. Říkala, že v létě pojedeme na chalupu a budeme sbírat houby. Soused už několik týdnů opravuje střechu, protože při bouřce spadl strom a rozbil několik tašek.',
  },
  Hungarian: {
    encodings: ['windows-1250', 'iso-8859-2'],
    text: 'Az árvíztűrő tükörfúrógép a műhelyben állt, amikor az öreg mester belépett. Tegnap este megérkezett a levél, amelyben a testvére azt írta, hogy jövő héten szeretné meglátogatni a családot. A gyerekek nagyon örültek, mert rég nem látták a nagybátyjukat, és előre készülődtek a közös kirándulásra a Mátrában.',
  },
  Russian: {
    encodings: ['windows-1251', 'koi8-r', 'ibm866', 'iso-8859-5', 'x-mac-cyrillic'],
    text: 'Вчера вечером мы долго гуляли по набережной и разговаривали о будущем. Погода была тёплая, и на скамейках сидели люди, которые читали газеты и кормили птиц. Потом начался дождь, и нам пришлось спрятаться в маленьком кафе. Там пахло свежим хлебом, а хозяин рассказывал посетителям старые истории о городе.',
  },
  Ukrainian: {
    encodings: ['windows-1251', 'koi8-u'],
    text: 'Учора ввечері ми довго гуляли набережною й розмовляли про майбутнє. Погода була тепла, і на лавках сиділи люди, які читали газети та годували птахів. Потім почався дощ, і нам довелося сховатися в маленькій кав’ярні. Там пахло свіжим хлібом, а господар розповідав відвідувачам давні історії про місто.',
  },
  Greek: {
    encodings: ['windows-1253', 'iso-8859-7'],
    text: 'Χθες το βράδυ περπατήσαμε πολλή ώρα στην παραλία και μιλούσαμε για το μέλλον. Ο καιρός ήταν ζεστός και στα παγκάκια κάθονταν άνθρωποι που διάβαζαν εφημερίδες και τάιζαν τα πουλιά. Ύστερα άρχισε να βρέχει και αναγκαστήκαμε να μπούμε σε ένα μικρό καφενείο. Εκεί μύριζε φρέσκο ψωμί.',
  },
  Turkish: {
    encodings: ['windows-1254', 'iso-8859-9'],
    text: 'Dün akşam sahilde uzun süre yürüdük ve gelecek hakkında konuştuk. Hava sıcaktı, banklarda gazete okuyan ve kuşları besleyen insanlar oturuyordu. Sonra yağmur başladı ve küçük bir kahvehaneye sığınmak zorunda kaldık. İçerisi taze ekmek kokuyordu, dükkânın sahibi şehrin eski öykülerini anlatıyordu. Çocuklar da dışarıda gülüşüyordu.',
  },
  Hebrew: {
    encodings: ['windows-1255', 'iso-8859-8'],
    text: 'אתמול בערב טיילנו שעה ארוכה לאורך החוף ודיברנו על העתיד. מזג האוויר היה חם, ועל הספסלים ישבו אנשים שקראו עיתונים והאכילו את הציפורים. אחר כך התחיל לרדת גשם, ונאלצנו להיכנס לבית קפה קטן. שם היה ריח של לחם טרי, ובעל המקום סיפר לאורחים סיפורים ישנים על העיר.',
  },
  Arabic: {
    encodings: ['windows-1256', 'iso-8859-6'],
    text: 'مشينا مساء أمس وقتا طويلا على شاطئ البحر وتحدثنا عن المستقبل. كان الطقس دافئا وكان الناس يجلسون على المقاعد يقرؤون الصحف ويطعمون الطيور. ثم بدأ المطر يهطل فاضطررنا إلى الدخول إلى مقهى صغير. كانت هناك رائحة خبز طازج وكان صاحب المقهى يروي للزوار قصصا قديمة عن المدينة.',
  },
  Japanese: {
    encodings: ['shift_jis', 'euc-jp', 'iso-2022-jp'],
    text: '昨日の夕方、私たちは海岸を長い間歩きながら将来について話しました。天気は暖かく、ベンチには新聞を読んだり鳥に餌をやったりする人々が座っていました。その後、雨が降り始めたので、小さな喫茶店に入らなければなりませんでした。店の中は焼きたてのパンの匂いがして、主人が町の古い話を客に聞かせていました。',
  },
  Chinese: {
    encodings: ['gbk', 'gb18030'],
    text: '昨天晚上我们在海边散步了很久,谈论着未来。天气很暖和,长椅上坐着看报纸和喂鸟的人。后来开始下雨了,我们不得不走进一家小咖啡馆。那里有新鲜面包的香味,老板正在给客人讲这座城市的老故事。第二天早上,太阳又出来了,孩子们在广场上高兴地玩耍,老人们坐在树下下棋聊天。',
  },
  'Traditional Chinese': {
    encodings: ['big5'],
    text: '昨天晚上我們在海邊散步了很久,談論著未來。天氣很暖和,長椅上坐著看報紙和餵鳥的人。後來開始下雨了,我們不得不走進一家小咖啡館。那裡有新鮮麵包的香味,老闆正在給客人講這座城市的老故事。第二天早上,太陽又出來了,孩子們在廣場上高興地玩耍,老人們坐在樹下下棋聊天。',
  },
  Korean: {
    encodings: ['euc-kr'],
    text: '어제 저녁 우리는 바닷가를 오랫동안 걸으며 미래에 대해 이야기했습니다. 날씨는 따뜻했고 벤치에는 신문을 읽거나 새에게 먹이를 주는 사람들이 앉아 있었습니다. 그 뒤 비가 내리기 시작해서 우리는 작은 찻집에 들어가야 했습니다. 그곳에서는 갓 구운 빵 냄새가 났고 주인은 손님들에게 도시의 옛이야기를 들려주었습니다.',
  },
};

interface LegacyText {
  language: string;
  encoding: string;
  text: string;
  bytes: Buffer;
}

/** At least 200 bytes each: every paragraph in all its encodings, whole and from several points of its beginning. */
export function* legacyTexts(): Generator<LegacyText> {
  for (const [language, { encodings, text: whole }] of Object.entries(paragraphs)) {
    for (const encoding of encodings) {
      const encode = encoderFor(encoding);
      const written = /^(iso|ibm|koi8)/.test(encoding) ? withTypewriterMarks(whole) : whole;
      for (const part of [0, 0.08, 0.16, 0.24, 0.32]) {
        const text = written.slice(Math.floor(written.length * part));
        const bytes = encode(text);
        if (bytes.length >= 200) yield { language, encoding, text, bytes };
      }
    }
  }
}

/** Encodings of typewriters and terminals have no curly quotation marks and dashes. */
function withTypewriterMarks(text: string): string {
  return text.replace(/[‘’]/g, "'").replace(/[“”]/g, '"').replace(/—/g, '-');
}

/** The reverse of a decoder. Throws for a character that the encoding does not have. */
export function encoderFor(encoding: string): (text: string) => Buffer {
  if (encoding === 'iso-2022-jp') return encodeIso2022;
  const codes = codeTable(encoding);
  return (text) => {
    const parts = [...text].map((character) => {
      const code = codes.get(character);
      if (code === undefined) throw new Error(`${encoding} has no ${character}`);
      return code;
    });
    return Buffer.concat(parts);
  };
}

function codeTable(encoding: string): Map<string, Buffer> {
  const decoder = charsetDecoder(encoding);
  if (decoder === null) throw new Error(`unknown encoding ${encoding}`);
  const codes = new Map<string, Buffer>();
  const add = (...bytes: number[]): void => {
    const text = decoder.decode(Uint8Array.from(bytes));
    if ([...text].length === 1 && text !== '\ufffd' && !codes.has(text)) codes.set(text, Buffer.from(bytes));
  };
  for (let byte = 0; byte < 256; byte++) add(byte);
  if (/^(shift_jis|euc-jp|euc-kr|gbk|gb18030|big5)$/.test(encoding))
    for (let lead = 0x81; lead < 0xff; lead++) for (let trail = 0x40; trail < 0xff; trail++) add(lead, trail);
  return codes;
}

/** ISO-2022-JP has the codes of EUC-JP without the high bits, between escape sequences. */
function encodeIso2022(text: string): Buffer {
  const encode = encoderFor('euc-jp');
  const runs = text.match(/[\x00-\x7f]+|[^\x00-\x7f]+/g) ?? [];
  return Buffer.concat(
    runs.map((run) => {
      const bytes = encode(run);
      if (run.charCodeAt(0) < 128) return bytes;
      return Buffer.concat([Buffer.from('\x1b$B'), bytes.map((byte) => byte & 0x7f) as Buffer, Buffer.from('\x1b(B')]);
    }),
  );
}
