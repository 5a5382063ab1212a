const LIMIT_MS = 90_000;

/** Sends requests through the proxy and records their outcome in the ledger. */
export class Caller {
  constructor(stack, ledger) {
    this.stack = stack;
    this.ledger = ledger;
  }

  /**
   * @returns {Promise<any>} the parsed answer when it came whole with status 200; undefined: it was refused or broken off
   * @throws on a 4xx: every request is valid, so that such an answer is a defect
   */
  async send(method, path, body, headers = {}) {
    const text = await this.text(method, path, body, headers);
    return text === undefined ? undefined : JSON.parse(text);
  }

  async text(method, path, body, headers = {}) {
    return (await this.bytes(method, path, body, headers))?.toString();
  }

  async bytes(method, path, body, headers = {}) {
    const { origin, key } = this.stack;
    const authorization = path.startsWith('/v1/')
      ? `Bearer ${key}`
      : `Basic ${Buffer.from(`api:${key}`).toString('base64')}`;
    try {
      const response = await fetch(origin + path, {
        method,
        headers: { authorization, 'content-type': 'application/json', ...headers },
        body: body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
        signal: AbortSignal.timeout(LIMIT_MS),
      });
      const bytes = Buffer.from(await response.arrayBuffer());
      this.ledger.count(response.status);
      if (response.status === 200) return bytes;
      if ([400, 401, 403, 404, 405, 409, 413, 415, 422].includes(response.status)) {
        throw new WrongAnswerError(`${method} ${path}: ${response.status} ${bytes.toString().slice(0, 300)}`);
      }
      return undefined;
    } catch (error) {
      if (error instanceof WrongAnswerError) throw error;
      this.ledger.count('broken off');
      return undefined;
    }
  }

  /** Retries until there is an answer: for requests with an idempotency key. */
  async insist(method, path, body, headers) {
    for (;;) {
      const answer = await this.send(method, path, body, headers).catch((error) => {
        // A first try may still be at work when its repetition arrives.
        if (/idempotency\.in_progress/.test(error.message)) return undefined;
        throw error;
      });
      if (answer !== undefined || this.isStopped) return answer;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }

  isStopped = false;
}

export class WrongAnswerError extends Error {}
