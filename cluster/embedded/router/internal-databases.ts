/** Databases that are no client's. */

/** The name that the config server answers to among the shards, and one of its databases. */
export const CONFIG = 'config';
/** The databases that the config server holds for the whole cluster. */
export const ON_CONFIG_SERVER: ReadonlySet<string> = new Set(['admin', CONFIG]);
/** The one collection of them that is sharded: of sessions that are written down. */
export const SESSIONS = 'config.system.sessions';
/** The databases that every server has for itself. */
export const INTERNAL: ReadonlySet<string> = new Set([...ON_CONFIG_SERVER, 'local']);
