import { common, createLowlight } from 'lowlight';

/** A coloured range of source code; `kind` is one of the names that the style sheet knows. */
export interface CodeToken {
  start: number;
  end: number;
  kind: string;
}

const KINDS: Record<string, string> = {
  keyword: 'keyword',
  built_in: 'name',
  type: 'name',
  title: 'name',
  name: 'keyword',
  tag: 'keyword',
  attr: 'name',
  attribute: 'name',
  section: 'keyword',
  string: 'string',
  regexp: 'string',
  symbol: 'string',
  number: 'number',
  literal: 'number',
  comment: 'comment',
  quote: 'comment',
  meta: 'comment',
};

const highlighter = createLowlight(common);
type TreeNode = ReturnType<typeof highlighter.highlight>['children'][number];

/** The coloured ranges of a text, in order and without overlaps; empty for an unknown language. */
export function codeTokens(text: string, extension: string): CodeToken[] {
  if (!highlighter.registered(extension)) return [];
  const tokens: CodeToken[] = [];
  let at = 0;
  const visit = (node: TreeNode, kind: string | undefined): void => {
    if (node.type === 'text') {
      if (kind && node.value.length > 0) tokens.push({ start: at, end: at + node.value.length, kind });
      at += node.value.length;
    } else if (node.type === 'element') {
      const names = Array.isArray(node.properties['className']) ? node.properties['className'] : [];
      const known = names.map((name) => KINDS[String(name).replace(/^hljs-/, '')]).find(Boolean);
      for (const child of node.children) visit(child, known ?? kind);
    }
  };
  for (const node of highlighter.highlight(extension, text).children) visit(node, undefined);
  return tokens;
}
