/** How commands, replies and placeholders are to be read: what stands at the end of every page of an experiment. */

/**
 * @param record what the page calls its record, with code in backticks
 * @returns a paragraph with code in backticks
 */
export function footnoteText(record: string): string {
  return (
    'Commands are written for mongosh, where `db` is the experiment’s own database, `<database>`. A helper stands only where it sends exactly ' +
    `the command that was sent; ${record} has each command as it went over the wire. Replies are shown as they came. Left out is what ` +
    'drivers and servers add for themselves (`lsid`, `txnNumber`, `$clusterTime`, `operationTime` and the like). Values that every run makes ' +
    'anew are shown as placeholders like `<ObjectId 1>` (beside a dot: `#1`), numbered by first appearance; to paste a command, leave such an ' +
    '`_id` out, and mongosh makes one. Steps of recordings count from 0.'
  );
}
