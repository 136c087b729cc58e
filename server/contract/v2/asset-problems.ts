// Why an asset cannot play (V2-10): the English sentences of `metadata.error_message`, and the code of each, by which a client
// writes it in another language.

/** A name in braces stands for a detail. */
export const assetProblems = {
  // Before the others: what it says about the asset is one of them.
  "failed-repeatedly":
    "{problem} It has failed {count} times. Next try at {when}.",
  // Web pages and apps.
  "page-outdated": "{problem} The last copy that loaded stays on the screen.",
  "page-timeout": "The page did not load within {seconds} seconds.",
  "page-not-opened": "The page could not be opened.",
  "page-status": "The page's server responded with status {status}.",
  "page-blocks-player": "The page kept the player from responding.",
  "page-crashed": "The page crashed.",
  "page-closed": "The page closed itself.",
  "page-download": "The address is a download, not a page.",
  "page-blank": "The page stayed blank.",
  "page-blank-again": "The page went blank again.",
  "page-frame":
    "The page shows only a frame that could not be loaded ({error}).",
  "page-hung": "The page stopped responding.",
  "page-no-name": "The page's host name cannot be resolved.",
  "page-certificate": "The page's certificate is not trusted.",
  "page-unreachable": "The page's server could not be reached.",
  "page-not-loaded": "The page could not be loaded ({error}).",
  "page-messages": "The page sends too many messages to the player.",
  "page-requests": "The page sends too many requests.",
  "page-memory": "The page uses more than {size} GiB of memory.",
  "page-processor":
    "The page used {seconds} seconds of CPU time without becoming ready.",
  "page-screenshot-not-taken": "The screenshot of the page could not be taken.",
  "page-screenshot": "The page's screenshot is missing.",
  "page-scheme": "Only http and https pages can be shown.",
  "app-files": "This app's files are missing.",
  "app-not-ready":
    "The app did not signal that it is ready: it must call screenly.signalReadyForRendering().",
  // What happened on the stage.
  "load-timeout": "The asset did not load within {seconds} seconds.",
  "not-loaded": "The asset did not load in time.",
  "not-displayed": "The asset was not displayed in time.",
  "stage-closed":
    "The playback window's process ended while the asset was loading or playing.",
  "graphics-lost":
    "The graphics process hung or crashed twice while the page was loading or shown.",
  "graphics-blamed": "It may have hung the graphics process.",
  "safe-mode": "Safe mode shows images only.",
  // Media that the stage could not play.
  "image-undecodable": "This image cannot be decoded.",
  "video-stalled": "The video stalled.",
  "audio-stalled": "The audio file stalled.",
  "stream-stalled": "The stream stalled.",
  "video-not-started": "The video did not start.",
  "audio-not-started": "The audio file did not start.",
  "stream-not-started": "The stream did not start.",
  "image-not-loaded": "This image could not be loaded from its address.",
  "video-undecodable": "This video cannot be decoded.",
  "audio-undecodable": "This audio file cannot be decoded.",
  "stream-undecodable": "This stream cannot be decoded.",
  "video-not-loaded": "This video could not be loaded from its address.",
  "audio-not-loaded": "This audio file could not be loaded from its address.",
  "stream-not-loaded": "This stream could not be loaded from its address.",
  "video-not-read": "This video could not be read.",
  "audio-not-read": "This audio file could not be read.",
  "video-not-played":
    "This video could not be loaded from its address, or cannot be played.",
  "audio-not-played":
    "This audio file could not be loaded from its address, or cannot be played.",
  "stream-not-played":
    "This stream could not be loaded from its address, or cannot be played.",
  "video-format": "The format of this video is not supported.",
  "audio-format": "The format of this audio file is not supported.",
  "image-missing": "The file of this image is missing.",
  "video-missing": "The file of this video is missing.",
  "audio-missing": "This audio file is missing.",
  "pdf-missing": "The file of this PDF is missing.",
  "pdf-unreadable": "This PDF cannot be read.",
  "pdf-invalid": "This file is damaged or not a PDF.",
  "stream-not-hls": "The response from this address is not an HLS stream.",
  "stream-empty": "This stream is still empty.",
  "stream-encrypted": "This stream is encrypted, and its key is not available.",
  "stream-status": "The stream's server responded with status {status}.",
  "stream-unreachable": "The stream's server could not be reached.",
  "stream-scheme":
    "Streams over {scheme} are not supported; use HLS over http or https.",
  "stream-dash": "DASH streams are not supported; use HLS.",
  // Files as they were judged when they arrived.
  "pdf-damaged": "This PDF is damaged: its pages cannot be read.",
  "pdf-no-pages": "This PDF has no pages.",
  "pdf-too-many-pages":
    "This PDF has {count} pages; at most {limit} are allowed.",
  "pdf-password": "This PDF is password-protected.",
  "pdf-cut-off": "This PDF is damaged or incomplete: its end is missing.",
  "file-memory":
    "This file is damaged, or reading it takes more memory than allowed.",
  "file-damaged": "This file is damaged: it cannot be read completely.",
  "file-slow": "This file is damaged, or takes too long to read.",
  "image-damaged":
    "This {type} image is damaged: it cannot be decoded completely.",
  "media-damaged":
    "This {type} file is damaged or incomplete: its tracks cannot be read completely.",
  "animation-too-large":
    "This animation is larger than the limit of {limit} megapixels.",
  "image-too-large":
    "This image is larger than the limit of {limit} megapixels.",
  "bmp-too-large":
    "This BMP is larger than the limit of {limit} megapixels; convert it to PNG or JPEG.",
  "animated-avif": "Animated AVIF is not supported; convert it to WebP or GIF.",
  "svg-too-large": "This SVG is larger than the limit of {limit} MB.",
  "svg-outside":
    "This SVG refers to {address}, which is outside the file. Embed everything it shows.",
  "svg-empty": "This SVG is empty.",
  "svg-damaged": "This SVG is damaged or cannot be rendered.",
  "video-codec": "This video codec is not supported; use H.264, VP9 or AV1.",
  "audio-codec":
    "This audio codec is not supported; use AAC, MP3, Opus or FLAC.",
  // Files on this disk, and on their way to it.
  "file-missing": "Its file is missing from this player's disk.",
  "file-damaged-here": "Its file on this player's disk is damaged.",
  "file-too-large": "The file is larger than the limit of {limit} bytes.",
  "download-excess": "The server sent more data than expected.",
  "download-status":
    "The file cannot be downloaded: its server responded with status {status}.",
  "download-retried":
    "The file cannot be downloaded: {reason}. Retrying automatically.",
  // What a content service reports.
  "service-processing": "The content service is still processing it.",
  "service-type": 'This player cannot show assets of type "{type}".',
  "service-no-address":
    "The content service does not provide a usable address for it.",
  "service-no-md5":
    "The content service does not provide an MD5 checksum for it, so the file cannot be verified.",
  "service-app": "The content service does not provide this app's files.",
} as const;
