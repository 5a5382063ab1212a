import { ServerResponse } from 'node:http';

import { Exchange } from '../../http/exchange.js';

/** The exchange of a request that is made a second time: with the headers of the first, an id of its own, and no connection. */
export class ShadowExchange extends Exchange {
  /** @param shadowed whose answer has gone out */
  constructor({ raw, origin }: Exchange) {
    super(raw, new ServerResponse(raw), origin, []);
  }

  override get rid(): string {
    return this.uid;
  }
}
