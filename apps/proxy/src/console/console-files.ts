import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
};
/** Encoding -> what the build appends to the name of the file, best first. */
const ENCODINGS = { br: '.br', gzip: '.gz' };

/** A file of the built console, in one encoding. */
export interface ConsoleFile {
  readonly body: Buffer;
  readonly type: string;
  /** Undefined: as it is. */
  readonly encoding?: string;
}

/**
 * The built console. All files are read at the start, some hundred kilobytes: a build that replaces them breaks no page
 * that is open, and no path of a request ever reaches the disk.
 */
export class ConsoleFiles {
  private readonly files = new Map<string, Buffer>();

  /** @param folder may be missing: then there is no console */
  constructor(folder: string) {
    if (!existsSync(folder)) return;
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isFile()) this.files.set(relative(folder, path).split(sep).join('/'), readFileSync(path));
    }
  }

  /** @param accepted the `Accept-Encoding` header */
  find(name: string, accepted = ''): ConsoleFile | undefined {
    const type = TYPES[extname(name)];
    const plain = this.files.get(name);
    if (type === undefined || plain === undefined) return undefined;
    for (const [encoding, suffix] of Object.entries(ENCODINGS)) {
      const body = this.files.get(name + suffix);
      if (body !== undefined && takes(accepted, encoding)) return { body, type, encoding };
    }
    return { body: plain, type };
  }
}

const takes = (accepted: string, encoding: string): boolean =>
  accepted.split(',').some((one) => one.split(';', 1)[0]?.trim() === encoding && !/;\s*q=0(?:\.0*)?\s*$/.test(one));
