import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';

import ts from 'typescript';

// Checks the types of the repository as if files had other texts: { folders, texts: { path: text } } on stdin,
// [[path, message], …] of the errors below `folders` on stdout.
const { folders, texts } = JSON.parse(await text(process.stdin));
const changed = new Map(Object.entries(texts).map(([path, changedText]) => [resolve(path), changedText]));

const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile);
const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, process.cwd());
const host = ts.createCompilerHost({ ...options, incremental: false, tsBuildInfoFile: undefined });
const { readFile } = host;
host.readFile = (path) => changed.get(resolve(path)) ?? readFile(path);

const rootNames = fileNames.filter((path) => folders.some((folder) => path.startsWith(`${resolve(folder)}/`)));
const program = ts.createProgram(rootNames, { ...options, incremental: false, tsBuildInfoFile: undefined }, host);
const errors = rootNames
  .flatMap((path) => [...program.getSemanticDiagnostics(program.getSourceFile(path))])
  .map(({ file, messageText }) => [
    file.fileName.slice(process.cwd().length + 1),
    ts.flattenDiagnosticMessageText(messageText, '\n'),
  ]);
console.log(JSON.stringify(errors));
