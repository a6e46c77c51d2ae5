import { createPrivateKey, createPublicKey } from 'node:crypto';
import { RSABSSA } from '@cloudflare/blindrsa-ts';
import { expect, test } from 'vitest';
import { blindSign, isSignature } from './ballot-keys.ts';

/*
 * The test vector with a salt of 48 bytes from the repository in which RFC 9474 was written (cfrg/draft-irtf-cfrg-blind-signatures,
 * test_vectors.json, commit b524078). It has no random prefix: a message with one is signed in the same way. `d` and `n` follow
 * from `p` and `q`, with e = 65537; `inv` follows from the two signatures.
 */
const vector = {
  message: '8f3dc6fb8c4a02f4d6352edf0907822c1210a9b32f9bdda4c45a698c80023aa6b59f8cfec5fdbb36331372ebefedae7d',
  p: [
    'e1f4d7a34802e27c7392a3cea32a262a34dc3691bd87f3f310dc75673488930559c120fd0410194fb8a0da55bd0b81227e84',
    '3fdca6692ae80e5a5d414116d4803fca7d8c30eaaae57e44a1816ebb5c5b0606c536246c7f11985d731684150b63c9a3ad9e',
    '41b04c0b5b27cb188a692c84696b742a80d3cd00ab891f2457443dadfeba6d6daf108602be26d7071803c67105a5426838e6',
    '889d77e8474b29244cefaf418e381b312048b457d73419213063c60ee7b0d81820165864fef93523c9635c22210956e53a8d',
    '96322493ffc58d845368e2416e078e5bcb5d2fd68ae6acfa54f9627c42e84a9d3f2774017e32ebca06308a12ecc290c7cd11',
    '56dcccfb2311',
  ].join(''),
  q: [
    'c601a9caea66dc3835827b539db9df6f6f5ae77244692780cd334a006ab353c806426b60718c05245650821d39445d3ab591',
    'ed10a7339f15d83fe13f6a3dfb20b9452c6a9b42eaa62a68c970df3cadb2139f804ad8223d56108dfde30ba7d367e9b0a7a8',
    '0c4fdba2fd9dde6661fc73fc2947569d2029f2870fc02d8325acf28c9afa19ecf962daa7916e21afad09eb62fe9f1cf91b77',
    'dc879b7974b490d3ebd2e95426057f35d0a3c9f45f79ac727ab81a519a8b9285932d9b2e5ccd347e59f3f32ad9ca359115e7',
    'da008ab7406707bd0e8e185a5ed8758b5ba266e8828f8d863ae133846304a2936ad7bc7c9803879d2fc4a28e69291d73dbd7',
    '99f8bc238385',
  ].join(''),
  blinded: [
    '10c166c6a711e81c46f45b18e5873cc4f494f003180dd7f115585d871a28930259654fe28a54dab319cc5011204c8373b50a',
    '57b0fdc7a678bd74c523259dfe4fd5ea9f52f170e19dfa332930ad1609fc8a00902d725cfe50685c95e5b2968c9a2828a212',
    '07fcf393d15f849769e2af34ac4259d91dfd98c3a707c509e1af55647efaa31290ddf48e0133b798562af5eabd327270ac2f',
    'b6c594734ce339a14ea4fe1b9a2f81c0bc230ca523bda17ff42a377266bc2778a274c0ae5ec5a8cbbe364fcf0d2403f7ee17',
    '8d77ff28b67a20c7ceec009182dbcaa9bc99b51ebbf13b7d542be337172c6474f2cd3561219fe0dfa3fb207cff89632091ab',
    '841cf38d8aa88af6891539f263adb8eac6402c41b6ebd72984e43666e537f5f5fe27b2b5aa114957e9a580730308a5f5a9c6',
    '3a1eb599f093ab401d0c6003a451931b6d124180305705845060ebba6b0036154fcef3e5e9f9e4b87e8f084542fd1dd67e77',
    '82a5585150181c01eb6d90cb95883837384a5b91dbb606f266059ecc51b5acbaa280e45cfd2eec8cc1cdb1b7211c8e14805b',
    'a683f9b78824b2eb005bc8a7d7179a36c152cb87c8219e5569bba911bb32a1b923ca83de0e03fb10fba75d85c55907dda5a2',
    '606bf918b056c3808ba496a4d95532212040a5f44f37e1097f26dc27b98a51837daa78f23e532156296b64352669c94a8a85',
    '5acf30533d8e0594ace7c442',
  ].join(''),
  blindSignature: [
    '364f6a40dbfbc3bbb257943337eeff791a0f290898a6791283bba581d9eac90a6376a837241f5f73a78a5c6746e1306ba3ad',
    'ab6067c32ff69115734ce014d354e2f259d4cbfb890244fd451a497fe6ecf9aa90d19a2d441162f7eaa7ce3fc4e89fd4e76b',
    '7ae585be2a2c0fd6fb246b8ac8d58bcb585634e30c9168a434786fe5e0b74bfe8187b47ac091aa571ffea0a864cb906d0e28',
    'c77a00e8cd8f6aba4317a8cc7bf32ce566bd1ef80c64de041728abe087bee6cadd0b7062bde5ceef308a23bd1ccc154fd0c3',
    'a26110df6193464fc0d24ee189aea8979d722170ba945fdcce9b1b4b63349980f3a92dc2e5418c54d38a862916926b3f9ca2',
    '70a8cf40dfb9772bfbdd9a3e0e0892369c18249211ba857f35963d0e05d8da98f1aa0c6bba58f47487b8f663e395091275f8',
    '2941830b050b260e4767ce2fa903e75ff8970c98bfb3a08d6db91ab1746c86420ee2e909bf681cac173697135983c3594b2d',
    'ef673736220452fde4ddec867d40ff42dd3da36c84e3e52508b891a00f50b4f62d112edb3b6b6cc3dbd546ba10f36b03f06c',
    '0d82aeec3b25e127af545fac28e1613a0517a6095ad18a98ab79f68801e05c175e15bae21f821e80c80ab4fdec6fb34ca315',
    'e194502b8f3dcf7892b511aee45060e3994cd15e003861bc7220a2babd7b40eda03382548a34a7110f9b1779bf3ef6011361',
    '611e6bc5c0dc851e1509de1a',
  ].join(''),
  signature: [
    '6fef8bf9bc182cd8cf7ce45c7dcf0e6f3e518ae48f06f3c670c649ac737a8b8119a34d51641785be151a697ed7825fdfece8',
    '2865123445eab03eb4bb91cecf4d6951738495f8481151b62de869658573df4e50a95c17c31b52e154ae26a04067d5ecdc15',
    '92c287550bb982a5bb9c30fd53a768cee6baabb3d483e9f1e2da954c7f4cf492fe3944d2fe456c1ecaf0840369e33fb4010e',
    '6b44bb1d721840513524d8e9a3519f40d1b81ae34fb7a31ee6b7ed641cb16c2ac999004c2191de0201457523f5a4700dd649',
    '267d9286f5c1d193f1454c9f868a57816bf5ff76c838a2eeb616a3fc9976f65d4371deecfbab29362caebdff69c635fe5a21',
    '13da4d4d8c24f0b16a0584fa05e80e607c5d9a2f765f1f069f8d4da21f27c2a3b5c984b4ab24899bef46c6d9323df4862fe5',
    '1ce300fca40fb539c3bb7fe2dcc9409e425f2d3b95e70e9c49c5feb6ecc9d43442c33d50003ee936845892fb8be475647da9',
    'a080f5bc7f8a716590b3745c2209fe05b17992830ce15f32c7b22cde755c8a2fe50bd814a0434130b807dc1b7218d4e85342',
    'd70695a5d7f29306f25623ad1e8aa08ef71b54b8ee447b5f64e73d09bdd6c3b7ca224058d7c67cc7551e9241688ada12d859',
    'cb7646fbd3ed8b34312f3b49d69802f0eaa11bc4211c2f7a29cd5c01ed01a39001c5856fab36228f5ee2f2e1110811872fe7',
    'c865c42ed59029c706195d52',
  ].join(''),
};

const number = (hex: string) => BigInt(`0x${hex}`);
const bytes = (hex: string) => Buffer.from(hex, 'hex');
const [p, q, e] = [number(vector.p), number(vector.q), 65_537n];
const n = p * q;
const text = (value: bigint) => {
  const hex = value.toString(16);
  return bytes(hex.length % 2 === 0 ? hex : `0${hex}`).toString('base64url');
};

/** The inverse by Euclid's algorithm. */
function inverse(value: bigint, modulus: bigint): bigint {
  let [a, b, x, y] = [((value % modulus) + modulus) % modulus, modulus, 1n, 0n];
  while (b !== 0n) [a, b, x, y] = [b, a % b, y, x - (a / b) * y];
  return ((x % modulus) + modulus) % modulus;
}

const d = inverse(e, (p - 1n) * (q - 1n));
const jwk = {
  kty: 'RSA',
  ...{ n: text(n), e: text(e), d: text(d), p: text(p), q: text(q) },
  ...{ dp: text(d % (p - 1n)), dq: text(d % (q - 1n)), qi: text(inverse(q, p)) },
};
const key = createPrivateKey({ key: jwk, format: 'jwk' });
const privateKey = key.export({ type: 'pkcs8', format: 'der' });
const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' });

test('a blinded message is signed as the test vector says, and a number that is too large is not', () => {
  expect(blindSign(privateKey, bytes(vector.blinded))?.toString('hex')).toBe(vector.blindSignature);
  expect(blindSign(privateKey, Buffer.alloc(512, 255))).toBeNull();
});

test('the signature of the test vector is accepted for its message alone', () => {
  expect(isSignature(publicKey, bytes(vector.message), bytes(vector.signature))).toBe(true);
  expect(isSignature(publicKey, bytes(`00${vector.message}`), bytes(vector.signature))).toBe(false);
  expect(isSignature(publicKey, bytes(vector.message), bytes(vector.blindSignature))).toBe(false);
});

test('the library of the browser takes the blinding off as the test vector says', async () => {
  const imported = await crypto.subtle.importKey('spki', publicKey, { name: 'RSA-PSS', hash: 'SHA-384' }, true, [
    'verify',
  ]);
  const inv = (number(vector.signature) * inverse(number(vector.blindSignature), n)) % n;
  const suite = RSABSSA.SHA384.PSS.Randomized();
  const inverted = bytes(inv.toString(16).padStart(1_024, '0'));
  const signature = await suite.finalize(imported, bytes(vector.message), bytes(vector.blindSignature), inverted);
  expect(Buffer.from(signature).toString('hex')).toBe(vector.signature);
});
