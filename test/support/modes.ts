// Whether files have modes here: on Windows an access list on their folder says who may read them (V2-692).

export const hasModes = process.platform !== "win32";
