/** Documents that the router already has, as a stream. */
import type { DocumentSource } from './merge.ts';

/** See the file's comment. */
export class QueuedDocuments implements DocumentSource {
  readonly isReady = true;
  readonly wholeBatch = undefined;
  readonly #documents: readonly Buffer[];
  #next = 0;

  constructor(documents: readonly Buffer[]) {
    this.#documents = documents;
  }

  async fill(): Promise<void> {}

  peek(): Buffer | undefined {
    return this.#documents[this.#next];
  }

  skip(): void {
    this.#next++;
  }

  takeWhole(): undefined {
    return undefined;
  }

  prefetch(): void {}

  async drain(): Promise<void> {}

  async close(): Promise<void> {}
}
