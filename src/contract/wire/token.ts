/**
 * What a page makes as its bearer token: 256 random bits in hexadecimal. The local server looks for a tab with no other
 * one: whoever guesses what is sent in place of a token, such as nothing or a placeholder, could otherwise show its hash and
 * be handed the request. A page takes nothing else from its storage: it would be somebody else's.
 */
export const TOKEN_FORMAT = /^[0-9a-f]{64}$/;

/** Sent with every 401: how a request must show who sends it. @source RFC 9110 §11.6.1, RFC 6750 §3 */
export const CHALLENGE = { 'WWW-Authenticate': 'Bearer realm="Lightwell"' } as const;
