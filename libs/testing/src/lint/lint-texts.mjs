import { text } from 'node:stream/consumers';

import { ESLint } from 'eslint';

// Lints texts as if each were the file of its path: [[path, text], …] on stdin, [[message, …], …] on stdout. The argument
// names a configuration; absent: that of the repository.
const eslint = new ESLint({ overrideConfigFile: process.argv[2] ?? null });
const results = [];
for (const [filePath, code] of JSON.parse(await text(process.stdin))) {
  const [{ messages }] = await eslint.lintText(code, { filePath, warnIgnored: true });
  results.push(messages.map(({ ruleId, message }) => `${ruleId}: ${message}`));
}
console.log(JSON.stringify(results));
