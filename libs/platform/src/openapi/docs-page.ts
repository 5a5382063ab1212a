import { createHash } from 'node:crypto';

/**
 * Swagger UI on one OpenAPI document, from files of this server only.
 *
 * @param title of the service; empty: all of them
 */
export const docsPage = (title: string, documentPath: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${`Hone ${title}`.trim()}</title>
    <link rel="stylesheet" href="docs/swagger-ui.css" />
  </head>
  <body>
    <div id="docs"></div>
    <script src="docs/swagger-ui-bundle.js"></script>
    <script>
      SwaggerUIBundle({ url: '${documentPath}', dom_id: '#docs', deepLinking: true, defaultModelsExpandDepth: 0 });
    </script>
  </body>
</html>
`;

/**
 * What a page of {@link docsPage} may load: Swagger UI from this server, and the one script that stands in it. Swagger
 * UI sets styles of its own, and shows images that are in its style sheet.
 */
export function docsPolicy(page: string): string {
  const [, script = ''] = /<script>([^]*?)<\/script>/.exec(page) ?? [];
  const hash = createHash('sha256').update(script).digest('base64');
  return [
    "default-src 'none'",
    `script-src 'self' 'sha256-${hash}'`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
