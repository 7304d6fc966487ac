import { createBodyText } from '../../body-text.ts';
import { ExtractError, type Extracted, type Extractor, type Source } from '../../contract.ts';
import { readTextFile } from './text-file.ts';

const READ_MAX = 8 * 1024 * 1024;

/** A language, its file extensions and the prefixes of whole-line comments. */
interface Language {
  name: string;
  extensions: readonly string[];
  comment?: readonly string[];
}

const slash = ['//', '/*', '*'];
const hash = ['#'];
const dash = ['--'];

const define = (name: string, extensions: string, comment?: readonly string[]): Language => ({
  name,
  extensions: extensions.split(' '),
  ...(comment && { comment }),
});

const languages: readonly Language[] = [
  define('C', 'c h', slash),
  define('C++', 'cpp cc cxx c++ hpp hh hxx h++ ipp tpp inl tcc i inc', slash),
  define('C#', 'cs csx', slash),
  define('Objective-C', 'm mm', slash),
  define('Java', 'java jav', slash),
  define('Kotlin', 'kt kts ktm', slash),
  define('Scala', 'scala sc sbt', slash),
  define('Groovy', 'groovy gradle gvy gy', slash),
  define('Go', 'go', slash),
  define('Rust', 'rs', slash),
  define('Zig', 'zig', slash),
  define('D', 'd', slash),
  define('Swift', 'swift', slash),
  define('Dart', 'dart', slash),
  define('JavaScript', 'js mjs cjs jsx es6', slash),
  define('TypeScript', 'tsx cts', slash),
  define('CoffeeScript', 'coffee litcoffee', hash),
  define('PHP', 'php phtml php3 php5 php4 phps', [...slash, '#']),
  define('Python', 'py pyw pyi pyx pxd pxi rpy', hash),
  define('Ruby', 'rb rake gemspec erb rbw', hash),
  define('Perl', 'pl pm t cgi', hash),
  define('Lua', 'lua', dash),
  define('R', 'r', hash),
  define('Julia', 'jl', hash),
  define('MATLAB', 'mlx', ['%']),
  define('Haskell', 'hs lhs', dash),
  define('OCaml', 'ml mli', ['(*']),
  define('F#', 'fs fsi fsx fsscript', slash),
  define('Elm', 'elm', dash),
  define('Erlang', 'erl hrl', ['%']),
  define('Elixir', 'ex exs eex heex leex', hash),
  define('Clojure', 'clj cljs cljc edn', [';']),
  define('Lisp', 'lisp lsp cl el scm ss rkt', [';']),
  define('Prolog', 'pro prolog', ['%']),
  define('Fortran', 'f f90 f95 f03 f08 for f77 ftn', ['!', 'C', 'c']),
  define('COBOL', 'cob cbl cpy cobol', ['*']),
  define('Pascal', 'pas pp dpr lpr', ['//', '{', '(*']),
  define('Ada', 'adb ads ada', dash),
  define('Basic', 'bas vb vbs frm wsf', ["'"]),
  define('Assembly', 'asm s nasm', [';', '#']),
  define('Verilog', 'v sv svh', slash),
  define('VHDL', 'vhdl', dash),
  define('SQL', 'sql ddl dml psql plsql', dash),
  define('Shell', 'sh bash zsh fish ksh csh command dash tcsh ash elv nu xonsh tool', hash),
  define('PowerShell', 'ps1 psm1 psd1 ps1xml', hash),
  define('Batch', 'bat cmd btm', ['rem', 'REM', '::']),
  define('AppleScript', 'applescript scpt', dash),
  define('AutoHotkey', 'ahk au3 ahk2', [';']),
  define('Tcl', 'tcl exp expect', hash),
  define('Awk', 'awk sed', hash),
  define('CSS', 'css scss sass less styl pcss postcss stylus', slash),
  define('GraphQL', 'graphql gql', hash),
  define('Protocol Buffers', 'proto thrift fbs capnp', slash),
  define('Solidity', 'sol', slash),
  define('GLSL', 'glsl vert frag hlsl wgsl metal shader comp geom', slash),
  define('CUDA', 'cu cuh', slash),
  define('WebAssembly', 'wat wast', [';;']),
  define('Nix', 'nix', hash),
  define('Terraform', 'tf tfvars hcl', hash),
  define('Makefile', 'mk mak make ninja pri', hash),
  define('CMake', 'cmake', hash),
  define('Dockerfile', 'dockerfile containerfile', hash),
  define('Arduino', 'ino pde', slash),
  define('Vala', 'vala vapi', slash),
  define('Nim', 'nim nims', hash),
  define('Crystal', 'cr', hash),
  define('Haxe', 'hx hxml', slash),
  define('ActionScript', 'as', slash),
  define('OpenSCAD', 'scad', slash),
  define('GDScript', 'gd', hash),
  define('Emacs Lisp', 'emacs', [';']),
  define('Vim script', 'vim vimrc', ['"']),
  define('Bazel', 'bazel bzl', hash),
  define('Cairo', 'cairo', slash),
  define('Move', 'move', slash),
  define('PureScript', 'purs', dash),
  define('QML', 'qml', slash),
  define('Reason', 're rei', slash),
  define('Astro', 'astro', slash),
  define('MSBuild', 'csproj fsproj vbproj vcxproj'),
  define(
    'JSON',
    'json jsonc json5 jsonl ndjson geojson topojson webmanifest har importmap avsc babelrc eslintrc prettierrc jsonnet libsonnet tfstate zpln',
  ),
  define('YAML', 'yaml yml', hash),
  define('TOML', 'toml', hash),
  define(
    'INI',
    'ini cfg conf cnf config properties prefs inf desktop service socket timer mount editorconfig gitconfig gitignore gitattributes npmrc env reg dotenv rc prop unit yarnrc wsh',
    ['#', ';'],
  ),
  define('Diff', 'diff patch'),
  define('Template', 'j2 jinja jinja2 tpl tmpl mustache hbs handlebars ejs pug haml slim liquid twig'),
  define('Data', 'strings resx po xliff lock map sum kdl ron dhall gcrd pbxproj sln xcconfig'),
];

const byExtension = new Map(languages.flatMap((language) => language.extensions.map((extension) => [extension, language] as const)));
byExtension.set('ts', define('TypeScript', 'ts', slash));
byExtension.set('mts', define('TypeScript', 'mts', slash));

function languageOf(extension: string): Language | undefined {
  return byExtension.get(extension);
}

/** Source code, scripts and configuration: language, number of code, comment and blank lines, and text. */
export const sourceCode: Extractor = {
  name: 'source-code',
  version: 2,
  text: true,
  extensions: [...new Set(languages.flatMap((language) => language.extensions))],
  tools: [],
  keys: ['language', 'lines', 'code_lines', 'comment_lines', 'blank_lines', 'encoding', 'shebang'],
  read: readSourceCode,
};

export async function readSourceCode(source: Source): Promise<Extracted> {
  const file = readTextFile(source, READ_MAX);
  if (file === null) throw new ExtractError('corrupt', 'The file is not text.');
  const language = languageOf(source.extension);
  const body = createBodyText(source.limits.bodyTextMaxChars);
  body.add(file.text);
  if (!file.complete) body.markTruncated();
  const shebang = /^#!\s*(\S{1,100}(?: \S{1,40})?)/.exec(file.text)?.[1];
  return {
    metadata: {
      language: language?.name,
      lines: file.lines,
      ...(file.complete && countLineKinds(file.text, language)),
      encoding: file.encoding,
      shebang,
    },
    ...body.result(),
  };
}

function countLineKinds(text: string, language: Language | undefined): Record<string, number> {
  let blank = 0;
  let comment = 0;
  let total = 0;
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\n', at);
    const line = text.slice(at, Math.min(end === -1 ? text.length : end, at + 200)).trimStart();
    total += 1;
    if (line === '') blank += 1;
    else if (language?.comment?.some((prefix) => line.startsWith(prefix))) comment += 1;
    at = end === -1 ? text.length : end + 1;
  }
  return { code_lines: total - blank - comment, comment_lines: comment, blank_lines: blank };
}
