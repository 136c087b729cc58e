// Limits of the processes that read untrusted media: time, memory, and pixels of an image.

/** A file that takes longer than this is treated as damaged: the largest image allowed needs half of it on a slow PC. */
export const defaultTimeoutMs = 60_000;
/** For a whole book, whose pages are extracted one by one. */
export const pagesTimeoutMs = 10 * 60_000;
/** An SVG that takes longer to render would delay the screen that shows it. */
export const drawingTimeoutMs = 10_000;
/** The length of some files is known only after reading them completely. */
export const lengthTimeoutMs = 10_000;

/** The process ends by itself when a file needs more memory than this. */
export const maxMemoryMb = 1536;
/** Of its JavaScript; decoded pixels lie outside. */
export const maxHeapMb = 768;

/** More than any camera produces; the decoder has limits on memory and time of its own. */
export const maxPixels = 450_000_000;
/** A larger image is scaled on import: twice the pixels of a 4K display, 64 MB decoded. */
export const maxShownPixels = 16_777_216;
export const maxShownSide = 8192;
export const maxSvgBytes = 16 * 1024 ** 2;
