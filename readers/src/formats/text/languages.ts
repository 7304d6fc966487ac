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
  l('C++', 'cpp cc cxx c++ hpp hh hxx h++ ipp tpp inl tcc i inc', slash),
  l('C#', 'cs csx', slash),
  l('Objective-C', 'm mm', slash),
  l('Java', 'java jav', slash),
  l('Kotlin', 'kt kts ktm', slash),
  l('Scala', 'scala sc sbt', slash),
  l('Groovy', 'groovy gradle gvy gy', slash),
  l('Go', 'go', slash),
  l('Rust', 'rs', slash),
  l('Zig', 'zig', slash),
  l('D', 'd', slash),
  l('Swift', 'swift', slash),
  l('Dart', 'dart', slash),
  l('JavaScript', 'js mjs cjs jsx es6', slash),
  l('TypeScript', 'tsx cts', slash),
  l('CoffeeScript', 'coffee litcoffee', hash),
  l('PHP', 'php phtml php3 php5 php4 phps', [...slash, '#']),
  l('Python', 'py pyw pyi pyx pxd pxi rpy', hash),
  l('Ruby', 'rb rake gemspec erb rbw', hash),
  l('Perl', 'pl pm t cgi', hash),
  l('Lua', 'lua', dash),
  l('R', 'r', hash),
  l('Julia', 'jl', hash),
  l('MATLAB', 'mlx', ['%']),
  l('Haskell', 'hs lhs', dash),
  l('OCaml', 'ml mli', ['(*']),
  l('F#', 'fs fsi fsx fsscript', slash),
  l('Elm', 'elm', dash),
  l('Erlang', 'erl hrl', ['%']),
  l('Elixir', 'ex exs eex heex leex', hash),
  l('Clojure', 'clj cljs cljc edn', [';']),
  l('Lisp', 'lisp lsp cl el scm ss rkt', [';']),
  l('Prolog', 'pro prolog', ['%']),
  l('Fortran', 'f f90 f95 f03 f08 for f77 ftn', ['!', 'C', 'c']),
  l('COBOL', 'cob cbl cpy cobol', ['*']),
  l('Pascal', 'pas pp dpr lpr', ['//', '{', '(*']),
  l('Ada', 'adb ads ada', dash),
  l('Basic', 'bas vb vbs frm wsf', ["'"]),
  l('Assembly', 'asm s nasm', [';', '#']),
  l('Verilog', 'v sv svh', slash),
  l('VHDL', 'vhdl', dash),
  l('SQL', 'sql ddl dml psql plsql', dash),
  l('Shell', 'sh bash zsh fish ksh csh command dash tcsh ash elv nu xonsh tool', hash),
  l('PowerShell', 'ps1 psm1 psd1 ps1xml', hash),
  l('Batch', 'bat cmd btm', ['rem', 'REM', '::']),
  l('AppleScript', 'applescript scpt', dash),
  l('AutoHotkey', 'ahk au3 ahk2', [';']),
  l('Tcl', 'tcl exp expect', hash),
  l('Awk', 'awk sed', hash),
  l('CSS', 'css scss sass less styl pcss postcss stylus', slash),
  l('GraphQL', 'graphql gql', hash),
  l('Protocol Buffers', 'proto thrift fbs capnp', slash),
  l('Solidity', 'sol', slash),
  l('GLSL', 'glsl vert frag hlsl wgsl metal shader comp geom', slash),
  l('CUDA', 'cu cuh', slash),
  l('WebAssembly', 'wat wast', [';;']),
  l('Nix', 'nix', hash),
  l('Terraform', 'tf tfvars hcl', hash),
  l('Makefile', 'mk mak make ninja pri', hash),
  l('CMake', 'cmake', hash),
  l('Dockerfile', 'dockerfile containerfile', hash),
  l('Arduino', 'ino pde', slash),
  l('Vala', 'vala vapi', slash),
  l('Nim', 'nim nims', hash),
  l('Crystal', 'cr', hash),
  l('Haxe', 'hx hxml', slash),
  l('ActionScript', 'as', slash),
  l('OpenSCAD', 'scad', slash),
  l('GDScript', 'gd', hash),
  l('Emacs Lisp', 'emacs', [';']),
  l('Vim script', 'vim vimrc', ['"']),
  l('Bazel', 'bazel bzl', hash),
  l('Cairo', 'cairo', slash),
  l('Move', 'move', slash),
  l('PureScript', 'purs', dash),
  l('QML', 'qml', slash),
  l('Reason', 're rei', slash),
  l('Astro', 'astro', slash),
  l('MSBuild', 'csproj fsproj vbproj vcxproj'),
  l(
    'JSON',
    'json jsonc json5 jsonl ndjson geojson topojson webmanifest har importmap avsc babelrc eslintrc prettierrc jsonnet libsonnet tfstate zpln',
  ),
  l('YAML', 'yaml yml', hash),
  l('TOML', 'toml', hash),
  l(
    'INI',
    'ini cfg conf cnf config properties prefs inf desktop service socket timer mount editorconfig gitconfig gitignore gitattributes npmrc env reg dotenv rc prop unit yarnrc wsh',
    ['#', ';'],
  ),
  l('Diff', 'diff patch'),
  l('Template', 'j2 jinja jinja2 tpl tmpl mustache hbs handlebars ejs pug haml slim liquid twig'),
  l('Data', 'plist strings resx po xliff lock map sum kdl ron dhall gcrd pbxproj sln xcconfig'),
];

const byExtension = new Map(languages.flatMap((language) => language.extensions.map((extension) => [extension, language] as const)));
byExtension.set('ts', l('TypeScript', 'ts', slash));
byExtension.set('mts', l('TypeScript', 'mts', slash));

export function languageOf(extension: string): Language | undefined {
  return byExtension.get(extension);
}
