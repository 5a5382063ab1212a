import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { REPOSITORY } from './shell-blocks.js';

const SOURCES = /(?<!\.(spec|e2e-spec|fixture|d))\.ts$/;

/** Every page of `docs/`, relative to the repository, in order. */
export function documentationPages(): string[] {
  return filesBelow('docs', /\.md$/);
}

/** Pages outside `docs/`. */
export const otherPages = (): string[] => [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', 'bench/README.md'],
  ...['apps', 'libs']
    .flatMap((group) => readdirSync(join(REPOSITORY, group)).map((name) => `${group}/${name}/README.md`))
    .filter((page) => existsSync(join(REPOSITORY, page))),
];

/** Source files that a page names in backquotes, by the end of their path, and that do not exist. */
export function missingSources(page: string): string[] {
  const named = [...readText(page).matchAll(/`([\w./-]+\.(?:ts|tsx))`/g)].map(([, path]) => path as string);
  return named.filter((path) => !files.some((file) => `/${file}`.endsWith(`/${path}`)));
}
const files = ['apps', 'libs'].flatMap((folder) => filesBelow(folder, /(?<!node_modules.*)\.tsx?$/));

/** Texts of the sources of all apps and libraries, without specs, by path. */
export function sourceTexts(): Map<string, string> {
  const folders = ['apps', 'libs'].flatMap((group) =>
    readdirSync(join(REPOSITORY, group)).map((name) => `${group}/${name}/src`),
  );
  const files = folders
    .filter((folder) => existsSync(join(REPOSITORY, folder)))
    .flatMap((folder) => filesBelow(folder, SOURCES));
  return new Map(files.map((file) => [file, readText(file)]));
}

/** Links of a page to files, or to headings in pages, that do not exist. */
export function brokenLinks(page: string): string[] {
  const links = [...readText(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link as string);
  return links.filter((link) => !/^[a-z]+:/.test(link) && !leadsSomewhere(page, link));
}

function leadsSomewhere(page: string, link: string): boolean {
  const [path, heading] = link.split('#') as [string, string | undefined];
  const target = path === '' ? page : join(dirname(page), path);
  if (!existsSync(join(REPOSITORY, target))) return false;
  return heading === undefined || headingsOf(target).has(heading);
}

/** Anchors of a page's headings, in the form of GitHub. */
const headingsOf = (page: string): Set<string> =>
  new Set([...readText(page).matchAll(/^#+ (.*)$/gm)].map(([, text]) => toAnchor(text as string)));

const toAnchor = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\w -]/g, '')
    .replaceAll(' ', '-');

export const readText = (file: string): string => readFileSync(join(REPOSITORY, file), 'utf8');

function filesBelow(folder: string, pattern: RegExp): string[] {
  return readdirSync(join(REPOSITORY, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => pattern.test(name))
    .sort()
    .map((name) => join(folder, name));
}
