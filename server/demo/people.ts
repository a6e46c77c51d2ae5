/** Everybody in the demonstration, with the password that README names. */
export const DEMO_PASSWORD = 'Ushirika#2026';

export interface DemoPerson {
  readonly idNumber: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly phone: string;
}

/** Those whom README names. */
export const wanjiru: DemoPerson = {
  idNumber: '12345678',
  firstName: 'Wanjiru',
  lastName: 'Kamau',
  phone: '254712345678',
};
export const newcomer: DemoPerson = {
  idNumber: '23456789',
  firstName: 'Barasa',
  lastName: 'Simiyu',
  phone: '254723456789',
};
export const treasurer: DemoPerson = {
  idNumber: '34567890',
  firstName: 'Achieng',
  lastName: 'Odhiambo',
  phone: '254734567890',
};
export const secondOfficial: DemoPerson = {
  idNumber: '45678901',
  firstName: 'Mutua',
  lastName: 'Kilonzo',
  phone: '254745678901',
};
export const operator: DemoPerson = {
  idNumber: '99999999',
  firstName: 'Halima',
  lastName: 'Abdi',
  phone: '254799999990',
};
export const secondOperator: DemoPerson = {
  idNumber: '88888888',
  firstName: 'Naliaka',
  lastName: 'Barasa',
  phone: '254788888880',
};
/** Saved in the first year of Mwangaza and has left it since. */
export const formerMember: DemoPerson = {
  idNumber: '56789012',
  firstName: 'Wanza',
  lastName: 'Kitheka',
  phone: '254756789012',
};

const names = `Njeri Mwangi, Otieno Ouma, Chebet Kiprono, Mumbi Gathoni, Kipchoge Rotich, Akinyi Onyango, Wambui Karanja,
Hassan Omar, Nafula Wekesa, Kariuki Ndung'u, Jepkosgei Cheruiyot, Mwende Musyoka, Ochieng Okello, Nyambura Kibe, Kiptoo Sang,
Zainab Mohamed, Wafula Barasa, Moraa Nyaboke, Gitau Njoroge, Atieno Owino, Kilonzo Mutiso, Wairimu Macharia, Ali Salim,
Nekesa Wanyama, Korir Langat, Muthoni Waweru, Odhiambo Ogutu, Kemunto Ombati, Kamande Thuo, Chepngetich Koech, Syombua Nzioka,
Okoth Adongo, Nyokabi Irungu, Rehema Juma, Simiyu Wasike, Bosibori Ondieki, Maina Wanjohi, Adhiambo Oduor, Jelimo Bett,
Mutheu Ndunda, Juma Kombo, Wangari Githinji, Kiprop Maiyo, Auma Nyong'o, Nduta Chege, Fatuma Yusuf, Makokha Lusweti,
Nyanchama Morara, Kimani Gachanja, Anyango Otiende, Cherono Tanui, Katana Charo, Wanjala Khaemba, Kerubo Mogaka, Ndirangu Muriuki`;

/** The other members: 55 of them. */
export const members: readonly DemoPerson[] = names.split(',').map((name, index) => {
  const [firstName = '', lastName = ''] = name.trim().split(' ');
  return {
    idNumber: String(30_110_207 + index * 61_813),
    firstName,
    lastName,
    phone: `2547${String(20_310_105 + index * 137_021)}`,
  };
});
