import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { REPOSITORY } from './shell-blocks.js';

const SOURCES = /(?<!\.(spec|e2e-spec|fixture|d))\.ts$/;

/** Every page of `docs/`, relative to the repository, in order. */
export function documentationPages(): string[] {
  return filesBelow('docs', /\.md$/);
}

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

/** Links of a page to files that do not exist. */
export function brokenLinks(page: string): string[] {
  const links = [...readText(page).matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, link]) => link as string);
  const isBroken = (link: string) => !/^[a-z]+:/.test(link) && !existsSync(join(REPOSITORY, dirname(page), link));
  return links.filter(isBroken);
}

export const readText = (file: string): string => readFileSync(join(REPOSITORY, file), 'utf8');

function filesBelow(folder: string, pattern: RegExp): string[] {
  return readdirSync(join(REPOSITORY, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => pattern.test(name))
    .sort()
    .map((name) => join(folder, name));
}
