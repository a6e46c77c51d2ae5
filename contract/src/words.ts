/** A text in both languages. What the contract declares with its words has them as a pair; the web says the English one. */
export type Words = readonly [english: string, swahili: string];
