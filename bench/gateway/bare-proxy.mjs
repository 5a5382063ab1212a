// The least that can be called a proxy: no keys, no checks, no metering, no failures. UPSTREAM is its origin.
import { createServer } from 'node:http';

import { Pool } from 'undici';

const pool = new Pool(process.env.UPSTREAM);
createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const { method, url: path } = request;
    const headers = { 'content-type': 'application/json' };
    pool.dispatch(
      { method, path, headers, body: Buffer.concat(chunks) },
      {
        onRequestStart() {},
        onResponseStart: (_controller, status, answerHeaders) => response.writeHead(status, answerHeaders),
        onResponseData: (_controller, chunk) => response.write(chunk),
        onResponseEnd: () => response.end(),
        onResponseError: () => response.destroy(),
      },
    );
  });
}).listen(Number(process.env.PORT), '127.0.0.1');
