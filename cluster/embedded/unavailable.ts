/** The embedded distribution cannot run on this machine. The message is one sentence: why, and what to use instead. */
export class EmbeddedUnavailableError extends Error {
  override readonly name = 'EmbeddedUnavailableError';
  /** Why, as a clause without a full stop. */
  readonly reason: string;

  constructor(reason: string, options?: ErrorOptions) {
    super(
      `The embedded MongoDB cannot run here: ${reason}; use real MongoDB instead, with --mongodb system (mongod and mongos on PATH) or --mongodb /path/to/bin.`,
      options,
    );
    this.reason = reason;
  }
}
