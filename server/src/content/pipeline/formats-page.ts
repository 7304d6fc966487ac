import { extractors, findThumbnailer, knownLimits, thumbnailers } from '@catalog/readers';

/** The manual's page of file formats, generated from the declarations of extractors and thumbnailers. */
export function formatsPage(): string {
  const extensions = new Set(extractors.flatMap((extractor) => extractor.extensions));
  const drawn = new Set(thumbnailers.flatMap((thumbnailer) => thumbnailer.extensions));
  const sections = [...extractors]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, text, extensions: own, keys, tools }) => {
      const pictures = own.filter((extension) => findThumbnailer(extension));
      const shown = pictures.length === own.length ? 'all' : pictures.length === 0 ? 'none' : code(pictures);
      return [
        `## ${name}`,
        '',
        '| | |',
        '|---|---|',
        `| Extensions | ${code(own)} |`,
        `| Facts | ${code(keys) || 'none'} |`,
        `| Text | ${text ? 'yes' : keys.includes('archive.members') ? 'names of members' : 'no'} |`,
        `| Picture | ${shown} |`,
        `| Needs | ${needs(own, tools)} |`,
        '',
      ].join('\n');
    });
  const only = [...drawn].filter((extension) => !extensions.has(extension)).sort();
  return [
    '# File formats',
    '',
    `Catalog reads ${extensions.size} extensions with ${extractors.length} readers, and draws thumbnails of ${drawn.size}. Any other file is catalogued by its name, size, times and hashes.`,
    '',
    'A fact is found in the filter language as `meta.<key>:value`. Keys with a dot are parts of one fact. Body text and names of archive members are searched as content, so `archive.members` is no filter, and only people who may search contents see it.',
    '',
    'This page is printed by `node server/src/content/pipeline/print-formats.ts`.',
    '',
    ...sections,
    ...(only.length > 0 ? ['## Drawn but not read', '', code(only), ''] : []),
    '## Known limits',
    '',
    ...knownLimits.map((limit) => `- ${limit}`),
    '',
  ].join('\n');
}

/** What is lost without the optional tools of the extractor and of the thumbnailers of its extensions. */
function needs(extensions: readonly string[], tools: readonly { name: string; lost: string }[]): string {
  const drawing = new Set(extensions.map((extension) => findThumbnailer(extension)).filter((thumbnailer) => thumbnailer !== undefined));
  const all = [...tools, ...[...drawing].flatMap((thumbnailer) => thumbnailer.tools)];
  return all.length === 0 ? 'nothing' : all.map(({ name, lost }) => `\`${name}\` for: ${lost}`).join('; ');
}

function code(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(' ');
}
