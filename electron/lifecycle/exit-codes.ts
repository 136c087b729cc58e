// Exit codes that only whoever watches from outside understands (V2-259).

/** Start me again. */
export const startAgain = 75;

/** Another copy runs on this data folder, and was not started by this supervisor. */
export const runsElsewhere = 76;
