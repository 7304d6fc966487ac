import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { parseSync } from 'rolldown/utils';

const listFiles = (folder) =>
  execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard', folder], { encoding: 'utf8' })
    .split('\0')
    .filter((name) => /\.tsx?$/.test(name) && !/\.(test|d|fixture)\.tsx?$|\/test-/.test(name) && existsSync(name));

function parse(file, source) {
  const { program, errors } = parseSync(file, source, { lang: file.endsWith('x') ? 'tsx' : 'ts' });
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`);
  return { program, placeOf: (node) => `${file}:${source.slice(0, node.start).split('\n').length}` };
}

/** Calls `visit` with every node and its parents, the nearest last, unless it returned false. Types and imports are left out. */
function walk(node, visit, parents = []) {
  if (/^TS(?!As|NonNull|Satisfies)|^(Import|ExportAll)Declaration$/.test(node.type) || visit(node, parents) === false) return;
  const chain = [...parents, node];
  for (const [key, value] of Object.entries(node)) {
    if (node.type === 'Property' && key === 'key' && !node.computed) continue;
    for (const child of Array.isArray(value) ? value : [value]) if (child?.type) walk(child, visit, chain);
  }
}

const isText = (node) => node?.type === 'Literal' && typeof node.value === 'string';
const calledName = (node) => (node.type === 'CallExpression' && node.callee.type === 'Identifier' ? node.callee.name : '');

/** The texts that an expression can have: a literal, or the branches of a condition. Null for anything else. */
function textsOf(node) {
  if (isText(node)) return [node.value];
  if (node?.type !== 'ConditionalExpression') return null;
  const [yes, no] = [textsOf(node.consequent), textsOf(node.alternate)];
  return yes && no ? [...yes, ...no] : null;
}

/** Attributes and properties whose value is shown or read out. */
const SHOWN = new Set(
  [
    'aria-label',
    'aria-description',
    'aria-valuetext',
    'title',
    'placeholder',
    'label',
    'description',
    'lead',
    'submit',
    'confirm',
    'alt',
  ].concat(['head', 'hint', 'what', 'addLabel', 'typeLabel', 'action', 'detail', 'advice']),
);
/** Text that is the same in every language: names of formats, algorithms, keys and units. */
const NAMES =
  /^(Catalog|MD5|SHA-\d+|CSV|JSON|NDJSON|PDF|ZIP|XLSX|RAW|ISO|S3|Markdown|Ctrl|Shift|Alt|Esc|[kMGT]?B|MB\/s|GB|min|ms|UTC|MP|· Catalog|warn)$/;
/** Examples of paths, addresses and settings. */
const EXAMPLES = /^(\/|\\\\|\w+:\/\/|[\w-]+\/[\w./-]+$|[a-z]+(-[a-z\d]+)+$|cf\.|#)/;
const ELSEWHERE = /^(startsWith|endsWith|includes|getAttribute|closest|querySelector|querySelectorAll|matches|all|getItem)$/;

const hasWords = (text) => /\p{L}{2}/u.test(text.replace(/&\w+;/g, '')) && !NAMES.test(text.trim()) && !EXAMPLES.test(text.trim());
/** Begins like a sentence or a label, or has several words. */
const looksLikeText = (text) =>
  hasWords(text) &&
  (/^[“"(]*\p{Lu}[\p{Ll}’]+([ ,.:;?!…)]|$)/u.test(text) || /\p{Ll}{2,}[,:;]? \p{Ll}{2,}.* \p{Ll}{2,}/u.test(text)) &&
  !/[{}=<>]|\d(px|em)\b/.test(text);

/** The node that decides what a string is used for. Null for the condition of `a ? b : c`. */
function userOf(node, parents) {
  let child = node;
  for (let at = parents.length - 1; at >= 0; at -= 1) {
    const parent = parents[at];
    if (parent.type === 'ConditionalExpression' && parent.test === child) return null;
    const inAttribute = parent.type === 'JSXExpressionContainer' && parents[at - 1]?.type === 'JSXAttribute';
    if (!inAttribute && !/^(Conditional|Logical|Parenthesized|Array|Chain|TSAs|TSSatisfies)Expression$|^TemplateLiteral$/.test(parent.type))
      return parent;
    child = parent;
  }
  return null;
}

/** Whether a string that is no argument of t() is text for people. */
function isShown(text, user) {
  switch (user?.type) {
    case 'JSXExpressionContainer':
      return hasWords(text);
    case 'JSXAttribute':
      return SHOWN.has(user.name.name) && hasWords(text);
    case 'Property':
      return !/^(className|name|value|keys)$/.test(user.key.name ?? '') && looksLikeText(text);
    case 'CallExpression':
      return calledName(user) === 'toast'
        ? hasWords(text)
        : looksLikeText(text) && !ELSEWHERE.test(user.callee.property?.name ?? user.callee.name);
    case undefined:
    case 'BinaryExpression':
    case 'SwitchCase':
    case 'MemberExpression':
    case 'ExpressionStatement':
    case 'ImportExpression':
    case 'AssignmentExpression':
      return false;
    default:
      return looksLikeText(text);
  }
}

/**
 * The sentences of a file of the console: the first arguments of t() and rich() by the place of their first use, and the texts that are not
 * in them. `ignored` are texts that stay as they are.
 */
export function sentencesOfFile(file, source, ignored) {
  const sentences = new Map();
  const outside = [];
  const { program, placeOf } = parse(file, source);
  const visit = (node, parents) => {
    if (/^(t|rich)$/.test(calledName(node))) {
      const [sentence, ...values] = node.arguments;
      const texts = textsOf(sentence);
      if (!texts) outside.push(`${placeOf(node)}: the sentence is not a literal`);
      for (const text of texts ?? []) if (!sentences.has(text)) sentences.set(text, placeOf(node));
      for (const value of values) walk(value, visit, [...parents, node]);
      return false;
    }
    const texts = isText(node) ? [node.value] : node.type === 'TemplateLiteral' ? node.quasis.map(({ value }) => value.cooked) : [];
    for (const text of texts)
      if (!ignored.has(text.trim()) && isShown(text, userOf(node, parents))) outside.push(`${placeOf(node)}: ${text.trim()}`);
    if (node.type === 'JSXText' && hasWords(node.value) && !ignored.has(node.value.trim()))
      outside.push(`${placeOf(node)}: ${node.value.trim()}`);
    return true;
  };
  walk(program, visit);
  return { sentences, outside };
}

export function consoleSentences(ignored) {
  const found = listFiles('console/src')
    .filter((file) => !file.startsWith('console/src/language/'))
    .map((file) => sentencesOfFile(file, readFileSync(file, 'utf8'), ignored));
  return { sentences: new Map(found.flatMap(({ sentences }) => [...sentences])), outside: found.flatMap(({ outside }) => outside) };
}

/** Where the server keeps sentences that the console shows, and in which properties. Messages of problems are found everywhere. */
const SERVER = [
  [/^server\/src\/platform\/problem\.ts$/, ['title', 'detail']],
  [/^server\/src\/insight\/reports\/(catalogue\/|paths\.ts)/, ['title', 'description', 'label']],
  [/^server\/src\/catalog\/presets\/shipped\.ts$/, ['label', 'caveat']],
  [/^server\/src\/insight\/alerts\/rules\.ts$/, ['name']],
  [/^readers\/src\/(formats|render)\//, ['lost']],
  [/^server\/src\/fleet\/commands\/collectors\.ts$/, ['label', 'description']],
  [/^server\/src\/catalog\/taxonomy\/registry\.ts$/, ['label']],
  [/^server\/src\/\w+\/[\w-]+\/(tasks|upkeep)\.ts$/, ['title', 'description', 'unavailable', 'outcome']],
];
/** Calls and errors with a sentence for people, by the position of that argument. */
const SENTENCE_AT = {
  ...{ problem: 1, fieldProblem: 1, unusable: 1, queryError: 2, ScanFailure: 1, ExtractError: 1 },
  ...{ raise: 2, endLive: 2, endRollout: 3, endReleaseRollout: 3, withNew: 0 },
};
/** Messages of alerts, of scans and of rollouts that ended, which may have values: the files and the property or variable. */
const MESSAGES = [
  [/^server\/src\/(insight\/(alerts\/(intake|error-spikes)|schedules\/deliver|integrity\/verify)|operations\/disk\/tasks)\.ts$/, 'message'],
  [/^server\/src\/catalog\/scan\/(heartbeat|run|service|tasks)\.ts$/, 'error'],
  [/^server\/src\/fleet\/(config|releases)\/rollouts\.ts$/, 'reason'],
  [/^server\/src\/fleet\/agents\/clones\.ts$/, 'message'],
];
/** Files whose texts are all for people, and how those begin. */
const FOR_PEOPLE = [
  [/^server\/src\/insight\/alerts\/notify\.ts$/, /^\{1\} /],
  [/^server\/src\/catalog\/libraries\/diagnose(-jobs)?\.ts$/, /^\p{Lu}\p{Ll}/u],
  [/^server\/src\/fleet\/(releases\/updates|config\/update-rules)\.ts$/, /^(The rollout|This agent|The settings) /],
  [/^server\/src\/operations\/maintenance\/(outcome|http)\.ts$/, /^(Nothing to do|The run failed)/],
  [/^server\/src\/content\/pipeline\/tasks\.ts$/, /^The disk of /],
  [/^server\/src\/operations\/about\/service\.ts$/, /^(Semantic search is|The model is|fast text) /],
  [/^server\/src\/operations\/backup\/create\.ts$/, /^The secret key and the environment settings /],
  [/^readers\/src\/sandbox\/report\.ts$/, /^\p{Lu}/u],
  // Of categories only: nothing shows those of groups.
  [
    /^server\/src\/catalog\/taxonomy\/registry\.ts$/,
    /^(Photos, draw|Music, rec|Films, rec|Texts, off|Three-dim|Source code, sc|Archives, disk|Fonts, data|Files whose)/,
  ],
  [/^server\/src\/people\/identity\/provider-accounts\.ts$/, /^The last local administrator /],
];
/** Files with templates that are for people, and how those begin. */
const TEMPLATES = [
  [/^server\/src\/catalog\/libraries\/present\.ts$/, /^Not yet: /],
  [/^server\/src\/catalog\/taxonomy\/upkeep\.ts$/, /^New file types: /],
  [/^server\/src\/content\/pipeline\/(backpressure|tasks)\.ts$/, /^(Extraction|The machine) /],
  [/^server\/src\/operations\/about\/service\.ts$/, /^(Older than|Computed by) /],
  [/^server\/src\/search\/(projection|passages)\/projector\.ts$/, /^Building the /],
];
/** The log of the service, which the console shows; lines that begin with a value have too little to translate. */
const LOG = /^(info|warning|error)$/;
const isLogCall = (node) =>
  node.type === 'CallExpression' &&
  LOG.test(node.callee.property?.name ?? '') &&
  /^log$/.test(node.callee.object?.property?.name ?? node.callee.object?.name ?? '');

/** Routes for agents, assistants and programs: nobody reads their problems in the console. */
const FOR_PROGRAMS =
  /^server\/src\/(fleet\/(authority|replication|reconcile|thumbs|agents\/(?!http\.ts|clones\.ts)|commands\/http-agent)|operations\/(assistants|pages))/;
/** Names of the built-in roles, which a migration stores. */
const ROLES = ['Administrator', 'User', 'Viewer'];
/** What the search engine says at the first start, which the log repeats. */
const ENGINE = ['There is no index in {1}.'];

/** Sentences that stay English, because their values are English words or whole sentences. */
const WITH_ENGLISH_VALUES = new Set([
  'This folder {1} the library "{2}" ({3}). Choose another folder.',
  'The group "{1}" still has {2} extension{3}. Move or remove them first.',
  'There is no {1} "{2}".',
  'No {1} with this id.',
  'No {1} is named "{2}". Use one of: {3}.',
  'The disk changed during the scan: {1}. Nothing was marked as missing. Check that the disk is mounted, then scan again.',
]);

/** The texts of an expression of the server. Values of a template are numbered, as serverText() numbers them: "There is no preset "{1}"." */
function serverTextsOf(node) {
  if (node?.type === 'ConditionalExpression') return [...serverTextsOf(node.consequent), ...serverTextsOf(node.alternate)];
  if (node?.type === 'CallExpression' && node.callee.property?.name === 'trim') return serverTextsOf(node.callee.object);
  if (node?.type !== 'TemplateLiteral') return textsOf(node) ?? [];
  const text = node.quasis.map(({ value }, at) => (at === 0 ? value.cooked : `{${at}}${value.cooked}`)).join('');
  return WITH_ENGLISH_VALUES.has(text) ? [] : [text];
}

/** Sentences that the server sends and serverText() translates. */
export function serverSentences() {
  const sentences = new Map([...ROLES.map((name) => [name, 'server/migrations']), ...ENGINE.map((text) => [text, 'engine/src'])]);
  for (const file of [...listFiles('server/src'), ...listFiles('readers/src')]) {
    const properties = SERVER.find(([pattern]) => pattern.test(file))?.[1] ?? [];
    const message = MESSAGES.find(([pattern]) => pattern.test(file))?.[1];
    const forPeople = FOR_PEOPLE.find(([pattern]) => pattern.test(file))?.[1];
    const template = TEMPLATES.find(([pattern]) => pattern.test(file))?.[1];
    const { program, placeOf } = parse(file, readFileSync(file, 'utf8'));
    walk(program, (node) => {
      const texts = [];
      if (node.type === 'Property' && properties.includes(node.key.name)) texts.push(...serverTextsOf(node.value));
      if (message && node.type === 'Property' && node.key.name === message) texts.push(...serverTextsOf(node.value));
      if (node.type === 'VariableDeclarator' && [message, ...properties].includes(node.id.name ?? ''))
        texts.push(...serverTextsOf(node.init));
      if (isText(node) && forPeople?.test(node.value)) texts.push(node.value);
      if (node.type === 'TemplateLiteral' && template) texts.push(...serverTextsOf(node).filter((text) => template.test(text)));
      if (isLogCall(node)) texts.push(...serverTextsOf(node.arguments[0]).filter((text) => /^\p{Lu}/u.test(text)));
      const at = SENTENCE_AT[node.type === 'NewExpression' ? node.callee.name : calledName(node)];
      if (at !== undefined && !FOR_PROGRAMS.test(file)) texts.push(...serverTextsOf(node.arguments[at]));
      if (calledName(node) === 'notFound' && isText(node.arguments[0])) texts.push(`No ${node.arguments[0].value} with this id.`);
      for (const text of texts) if (text && !sentences.has(text)) sentences.set(text, placeOf(node));
    });
  }
  return sentences;
}

/** The names of values and elements in a sentence. */
const partsOf = (text) => [...new Set(text.match(/\{\w+|<\/?\w+>/g))].sort().join(' ');

/** What is wrong with a catalogue, given all sentences with their places. */
export function catalogueProblems(catalogue, sentences) {
  const problems = [];
  for (const [text, place] of sentences) {
    const translation = catalogue[text];
    if (!translation) problems.push(`lacks "${text}" (${place})`);
    else if (partsOf(translation) !== partsOf(text)) problems.push(`has other values or elements for "${text}": "${translation}"`);
    else if (/\{[^|}]+\|[^|}]*\}/.test(translation)) problems.push(`has a number with one form: "${translation}"`);
  }
  for (const text of Object.keys(catalogue)) if (!sentences.has(text)) problems.push(`has "${text}", which nothing uses`);
  return problems;
}
