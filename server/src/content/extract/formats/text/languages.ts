/** Which language an extension stands for, and how its whole-line comments begin. */
export interface Language {
  name: string;
  extensions: readonly string[];
  comment?: readonly string[];
}

const slash = ['//', '/*', '*'];
const hash = ['#'];
const dash = ['--'];

const l = (name: string, extensions: string, comment?: readonly string[]): Language => ({
  name,
  extensions: extensions.split(' '),
  ...(comment && { comment }),
});

export const languages: readonly Language[] = [
  l('C', 'c h', slash),
  l('C++', 'cpp cc cxx c++ hpp hh hxx h++ ipp tpp inl', slash),
  l('C#', 'cs csx', slash),
  l('Objective-C', 'm mm', slash),
  l('Java', 'java', slash),
  l('Kotlin', 'kt kts', slash),
  l('Scala', 'scala sc', slash),
  l('Groovy', 'groovy gradle', slash),
  l('Go', 'go', slash),
  l('Rust', 'rs', slash),
  l('Zig', 'zig', slash),
  l('D', 'd', slash),
  l('Swift', 'swift', slash),
  l('Dart', 'dart', slash),
  l('JavaScript', 'js mjs cjs jsx es6', slash),
  l('TypeScript', 'tsx cts', slash),
  l('CoffeeScript', 'coffee', hash),
  l('PHP', 'php phtml php3 php5', [...slash, '#']),
  l('Python', 'py pyw pyi pyx', hash),
  l('Ruby', 'rb rake gemspec erb', hash),
  l('Perl', 'pl pm t', hash),
  l('Lua', 'lua', dash),
  l('R', 'r', hash),
  l('Julia', 'jl', hash),
  l('MATLAB', 'mlx', ['%']),
  l('Haskell', 'hs lhs', dash),
  l('OCaml', 'ml mli', ['(*']),
  l('F#', 'fs fsi fsx', slash),
  l('Elm', 'elm', dash),
  l('Erlang', 'erl hrl', ['%']),
  l('Elixir', 'ex exs', hash),
  l('Clojure', 'clj cljs cljc edn', [';']),
  l('Lisp', 'lisp lsp cl el scm ss rkt', [';']),
  l('Prolog', 'pro prolog', ['%']),
  l('Fortran', 'f f90 f95 f03 f08 for f77', ['!', 'C', 'c']),
  l('COBOL', 'cob cbl cpy', ['*']),
  l('Pascal', 'pas pp dpr lpr', ['//', '{', '(*']),
  l('Ada', 'adb ads', dash),
  l('Basic', 'bas vb vbs frm', ["'"]),
  l('Assembly', 'asm s nasm', [';', '#']),
  l('Verilog', 'v sv svh', slash),
  l('VHDL', 'vhdl', dash),
  l('SQL', 'sql ddl dml psql plsql', dash),
  l('Shell', 'sh bash zsh fish ksh csh command', hash),
  l('PowerShell', 'ps1 psm1 psd1', hash),
  l('Batch', 'bat cmd', ['rem', 'REM', '::']),
  l('AppleScript', 'applescript scpt', dash),
  l('AutoHotkey', 'ahk au3', [';']),
  l('Tcl', 'tcl', hash),
  l('Awk', 'awk sed', hash),
  l('CSS', 'css scss sass less styl', slash),
  l('GraphQL', 'graphql gql', hash),
  l('Protocol Buffers', 'proto thrift', slash),
  l('Solidity', 'sol', slash),
  l('GLSL', 'glsl vert frag hlsl wgsl metal shader', slash),
  l('CUDA', 'cu cuh', slash),
  l('WebAssembly', 'wat wast', [';;']),
  l('Nix', 'nix', hash),
  l('Terraform', 'tf tfvars hcl', hash),
  l('Makefile', 'mk mak make', hash),
  l('CMake', 'cmake', hash),
  l('Dockerfile', 'dockerfile', hash),
  l('Arduino', 'ino pde', slash),
  l('Vala', 'vala vapi', slash),
  l('Nim', 'nim nims', hash),
  l('Crystal', 'cr', hash),
  l('Haxe', 'hx', slash),
  l('ActionScript', 'as', slash),
  l('OpenSCAD', 'scad', slash),
  l('GDScript', 'gd', hash),
  l('Emacs Lisp', 'emacs', [';']),
  l('Vim script', 'vim vimrc', ['"']),
  l('JSON', 'json jsonc json5 jsonl ndjson geojson topojson webmanifest har'),
  l('YAML', 'yaml yml', hash),
  l('TOML', 'toml', hash),
  l(
    'INI',
    'ini cfg conf cnf config properties prefs inf desktop service socket timer mount editorconfig gitconfig gitignore gitattributes npmrc env reg',
    ['#', ';'],
  ),
  l('Diff', 'diff patch'),
  l('Template', 'j2 jinja jinja2 tpl tmpl mustache hbs handlebars ejs pug haml slim liquid twig'),
  l('Data', 'plist strings resx po xliff lock map sum'),
];

const byExtension = new Map(languages.flatMap((language) => language.extensions.map((extension) => [extension, language] as const)));
byExtension.set('ts', l('TypeScript', 'ts', slash));
byExtension.set('mts', l('TypeScript', 'mts', slash));

export function languageOf(extension: string): Language | undefined {
  return byExtension.get(extension);
}
