/** Swagger UI on one OpenAPI document, from files of this server only. */
export const docsPage = (title: string, documentPath: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Hone ${title}</title>
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
