/** The request is heavy for what it reads: another thread answers it. */
export class HeavyWorkError extends Error {
  constructor() {
    super('Another thread should handle this request.');
  }
}

/** Lets a handler that has only read so far pass its request on, when what it found would hold the event loop. */
export class HeavyWork {
  /** @param hasReplicas whether there are threads to pass it on to; in such a thread itself there are none */
  constructor(private readonly hasReplicas: boolean) {}

  /** @throws HeavyWorkError which the service answers by having a thread handle the whole request again */
  passOnIf(isHeavy: boolean): void {
    if (isHeavy && this.hasReplicas) throw new HeavyWorkError();
  }
}
