/** Prints, as JSON, what Redocly finds in an OpenAPI document by the rules of `.redocly.yaml`. */
import { join } from 'node:path';

import { lint, loadConfig } from '@redocly/openapi-core';

const config = await loadConfig({ configPath: join(import.meta.dirname, '../../.redocly.yaml') });
const problems = await lint({ ref: process.argv[2], config });
const found = problems.map(({ ruleId, severity, message, location }) => ({
  ruleId,
  severity,
  message,
  at: location.map(({ pointer }) => pointer),
}));
console.log(JSON.stringify(found, null, 2));
