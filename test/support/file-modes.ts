// Whether files have modes here: on Windows an access list of their folder determines who may read them (V2-692).

export const hasModes = process.platform !== "win32";
