// Exit codes for the supervisor (V2-259).

/** Restart the player. */
export const startAgain = 75;

/** Another instance runs on this data folder, and was not started by this supervisor. */
export const runsElsewhere = 76;
