import { foldTyped, plainId } from './typed.ts';

/** The countries of ISO 3166, each by its two letters and its three, which passports have. */
const CODES =
  'ADAND AEARE AFAFG AGATG AIAIA ALALB AMARM AOAGO AQATA ARARG ASASM ATAUT AUAUS AWABW AXALA AZAZE BABIH BBBRB ' +
  'BDBGD BEBEL BFBFA BGBGR BHBHR BIBDI BJBEN BLBLM BMBMU BNBRN BOBOL BQBES BRBRA BSBHS BTBTN BVBVT BWBWA BYBLR ' +
  'BZBLZ CACAN CCCCK CDCOD CFCAF CGCOG CHCHE CICIV CKCOK CLCHL CMCMR CNCHN COCOL CRCRI CUCUB CVCPV CWCUW CXCXR ' +
  'CYCYP CZCZE DEDEU DJDJI DKDNK DMDMA DODOM DZDZA ECECU EEEST EGEGY EHESH ERERI ESESP ETETH FIFIN FJFJI FKFLK ' +
  'FMFSM FOFRO FRFRA GAGAB GBGBR GDGRD GEGEO GFGUF GGGGY GHGHA GIGIB GLGRL GMGMB GNGIN GPGLP GQGNQ GRGRC GSSGS ' +
  'GTGTM GUGUM GWGNB GYGUY HKHKG HMHMD HNHND HRHRV HTHTI HUHUN IDIDN IEIRL ILISR IMIMN ININD IOIOT IQIRQ IRIRN ' +
  'ISISL ITITA JEJEY JMJAM JOJOR JPJPN KEKEN KGKGZ KHKHM KIKIR KMCOM KNKNA KPPRK KRKOR KWKWT KYCYM KZKAZ LALAO ' +
  'LBLBN LCLCA LILIE LKLKA LRLBR LSLSO LTLTU LULUX LVLVA LYLBY MAMAR MCMCO MDMDA MEMNE MFMAF MGMDG MHMHL MKMKD ' +
  'MLMLI MMMMR MNMNG MOMAC MPMNP MQMTQ MRMRT MSMSR MTMLT MUMUS MVMDV MWMWI MXMEX MYMYS MZMOZ NANAM NCNCL NENER ' +
  'NFNFK NGNGA NINIC NLNLD NONOR NPNPL NRNRU NUNIU NZNZL OMOMN PAPAN PEPER PFPYF PGPNG PHPHL PKPAK PLPOL PMSPM ' +
  'PNPCN PRPRI PSPSE PTPRT PWPLW PYPRY QAQAT REREU ROROU RSSRB RURUS RWRWA SASAU SBSLB SCSYC SDSDN SESWE SGSGP ' +
  'SHSHN SISVN SJSJM SKSVK SLSLE SMSMR SNSEN SOSOM SRSUR SSSSD STSTP SVSLV SXSXM SYSYR SZSWZ TCTCA TDTCD TFATF ' +
  'TGTGO THTHA TJTJK TKTKL TLTLS TMTKM TNTUN TOTON TRTUR TTTTO TVTUV TWTWN TZTZA UAUKR UGUGA UMUMI USUSA UYURY ' +
  'UZUZB VAVAT VCVCT VEVEN VGVGB VIVIR VNVNM VUVUT WFWLF WSWSM XKXKK YEYEM YTMYT ZAZAF ZMZMB ZWZWE';

/** The three letters of each country, by its two. */
export const PASSPORT_COUNTRIES: ReadonlyMap<string, string> = new Map(
  CODES.split(' ').map((both) => [both.slice(0, 2), both.slice(2)]),
);

const HOME = 'KEN';

/** A number as passports have them: Kenyan ones, and those of other countries. */
const KENYAN = /^[A-Z]{1,2}\d{6,8}$/;
const FOREIGN = /^(?=.*\d.*\d)[A-Z0-9]{6,9}$/;

/**
 * A passport's number as it is sent and kept: without the letters of its country, and a foreign one behind the three of them. Null where it is no
 * passport's number, or could be two: `TZAB123456` is AB123456 behind TZ, or B123456 behind TZA.
 */
export function passportNumber(country: string, typed: string): string | null {
  const letters = PASSPORT_COUNTRIES.get(country);
  if (letters === undefined) return null;
  const isNumber = (text: string | null) => text !== null && (letters === HOME ? KENYAN : FOREIGN).test(text);
  const apart = new RegExp(`^(?:(?:${letters}|${country})[ :./-]+)+`, 'i');
  const plain = plainId(foldTyped(typed).replace(apart, ''));
  const behind = (code: string) => (plain.startsWith(code) ? plain.slice(code.length) : null);
  const [three, two] = [behind(letters), behind(country)];
  if (isNumber(three) && isNumber(two)) return null;
  const number = [three, plain, two].find(isNumber) ?? null;
  return letters === HOME || number === null ? number : `${letters}${number}`;
}

const LETTERS = new Set([...PASSPORT_COUNTRIES.values()].filter((letters) => letters !== HOME));

/** Whether it is a foreign country's three letters with the number of a passport after them: six to nine signs, digits among them. */
export const isPassportOfCountry = (text: string): boolean =>
  LETTERS.has(text.slice(0, 3)) && /^[A-Z]{3}(?=.*\d.*\d)[A-Z0-9]{6,9}$/.test(text);
