/** The browser code of an experiment's page. */
export {};
