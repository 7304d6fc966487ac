/** Names the picture itself, so that a browser may keep it for good; the service says when there is another. */
export const pictureVersion = (file: { thumb_version: string | null }): string | undefined => file.thumb_version ?? undefined;
