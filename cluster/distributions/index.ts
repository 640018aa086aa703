/** Where `mongod` and `mongos` come from. */

/** A pair of executables. */
export interface Distribution {
  kind: 'system' | 'embedded';
  /** Absolute paths. */
  mongod: string;
  mongos: string;
  /** As `--version` says it. */
  version: string;
  gitVersion: string;
}
