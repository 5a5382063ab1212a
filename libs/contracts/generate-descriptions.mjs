/**
 * Writes what the OpenAPI document says of classes and fields: the doc comments of the sources, as
 * `src/descriptions/<area>.generated.ts`. With `--check` nothing is written, and a file that is out of date exits 1.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import ts from 'typescript';

const SOURCES = join(import.meta.dirname, 'src');
const AREAS = ['accounts', 'errors', 'evaluation', 'inference', 'trace', 'training'];
/** The sources whose classes and interfaces are bodies, or parts of them. */
const DESCRIBED = /(\.dto|chat-messages|chat-tools)\.ts$/;
const HEADER = '/** Made of the doc comments by generate-descriptions.mjs. */\n';

/** Whether the file of an area was out of date. */
function writeArea(area) {
  const file = join(SOURCES, `descriptions/${area}.generated.ts`);
  const text = areaText(area);
  if (readText(file) === text) return false;
  if (process.argv.includes('--check')) console.error(`${relative(process.cwd(), file)} is out of date: npm run build`);
  else writeFileSync(file, text);
  return true;
}

function readText(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function areaText(area) {
  const files = readdirSync(join(SOURCES, area)).filter((name) => DESCRIBED.test(name));
  const types = files.sort().flatMap((name) => describedTypes(join(SOURCES, area, name)));
  const lines = types.flatMap(({ name, text, fields }, index) => [
    `${index > 0 ? '  }], ' : '  '}${name}: [${JSON.stringify(text ?? '')}, {`,
    ...fields.map(
      ({ name, text }) => `    ${/^[\w$]+$/.test(name) ? name : JSON.stringify(name)}: ${JSON.stringify(text)},`,
    ),
  ]);
  return `${HEADER}export const ${area.toUpperCase()}: Record<string, [string, Record<string, string>]> = {\n${lines.join('\n')}\n  }],\n};\n`;
}

/** The exported classes and interfaces of a file, with those of their fields that have a comment. */
function describedTypes(file) {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  return source.statements
    .filter((node) => (ts.isClassDeclaration(node) || ts.isInterfaceDeclaration(node)) && isExported(node))
    .map((node) => ({ name: node.name.text, text: commentOf(node), fields: fieldsOf(node) }))
    .filter(({ text, fields }) => text || fields.length > 0);
}

const isExported = (node) => node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);

const fieldsOf = (node) =>
  node.members
    .filter((member) => ts.isPropertyDeclaration(member) || ts.isPropertySignature(member))
    .map((member) => ({ name: member.name.text, text: commentOf(member) }))
    .filter(({ name, text }) => name !== undefined && text);

/** The text of the last doc comment before a node, on one line. */
function commentOf(node) {
  const comment = ts.getJSDocCommentsAndTags(node).findLast(ts.isJSDoc)?.comment;
  return ts
    .getTextOfJSDocComment(comment)
    ?.replace(/\{@link (\w+)\}/g, '`$1`')
    .replace(/\s+/g, ' ')
    .trim();
}

const isStale = AREAS.map(writeArea).includes(true);
process.exit(isStale && process.argv.includes('--check') ? 1 : 0);
