-- How words sound.

create extension fuzzystrmatch;
--> no rows

select string_agg(metaphone(w, 3), ' ') as codes from unnest(array['opened','Nulls','AsyncClient','strategy','highlighted','enciphered','try','variety','unrestricted','Intervals','Also','diagnostic','enMinutes','Asserts','preserved','sale','Beyond','Find','CREATE','ull','regularization','enable','MetaFAQ','modifiers','toRelativeQuar','imports','edited','Type','unreferenced','sumMapIf','nearly','Simulate','Within','Parts','Entitlement','worker','ln','chance','util','bitAnd','JURISDICTIONS','damaged','weak','enforced','TRUNCATE','oriole','parenthesised','assertions','Assuming','partitions','ndims','Buzz','REQUIRED','dummy','fdw','SINGLE','proceed','mind','policies','de']) w;
--> {"codes":"OPN NLS ASN STR HFL ENS TR FRT UNR INT ALS TKN ENM ASR PRS SL BYN FNT KRT UL RKL ENB MTF MTF TRL IMP ETT TP UNR SMP NRL SML W0N PRT ENT WRK LN XNS UTL BTN JRS TMJ WK ENF TRN ORL PRN ASR ASM PRT NTM BS RKR TM FT SNK PRS MNT PLS T"}

select string_agg(metaphone(w, 5), ' ') as codes from unnest(array['associations','minIf','hexadecimal','huge','toolchain','Implicit','Empty','entered','activate','Date','Response','quantilesTDige','unhex','schemars','suggestion','valgrind','Getting','REGARDING','Ambiguous','nowhere','dereferencing','awry','Move','New','nine','internals','syscall','Backtraces','Projects','facility','rpad','shortcuts','encapsulation','STOPPAGE','party','vanity','Huge','Schemathesis','Executables','addMinutes','Hasty','RESIZING','stay','axx','convert','ADDRESS','idempotent','waives','Assert','release','cursors','readable','Time','decrement','reference','maybe','UNIVERSAL','captures','paragraph','instructions']) w;
--> {"codes":"ASXXN MNF HKSTS HJ TLXN IMPLS EMPT ENTRT AKTFT TT RSPNS KNTLS UNHKS SKMRS SKSXN FLKRN JTNK RKRTN AMKS NHR TRFRN AR MF N NN INTRN SSKL BKTRS PRJKT FSLT RPT XRTKT ENKPS STPJ PRT FNT HJ SKM0S EKSKT ATMNT HST RSSNK ST AKS KNFRT ATRS ITMPT WFS ASRT RLS KRSRS RTBL TM TKRMN RFRNS MB UNFRS KPTRS PRKRF INSTR"}

select string_agg(metaphone(w, 10), ' ') as codes from unnest(array['block','Somehow','CreateWorld','delete','CONSEQUENTIAL','orde','unenforceable','offline','sessions','incidental','SYS','workarounds','unaware','nontrivial','addTupleOfInte','smallest','authorization','hex','location','hasSubsequence','HttpxTransport','reduce','are','usage','YEAR','elvish','HAMZA','Closing','arithmetic','COUNT','redeclare','ga','termination','found','ff','lightly','txid','perlport','Hence','being','mypack','rtrim','RESPECT','TORT','nests','temporarily','inc','walk','civil','toSecond','checksums','Transport','stages','REPLACE','backticks','told','main','wh','SH','started']) w;
--> {"codes":"BLK SMH KRTWRLT TLT KNSKNXL ORT UNNFRSBL OFLN SSNS INSTNTL SS WRKRNTS UNWR NNTRFL ATTPLFNT SMLST A0RSXN HKS LKXN HSBSKNS TPKSTRNSPR RTS AR USJ YR ELFX HMS KLSNK AR0MTK KNT RTKLR K TRMNXN FNT F LFTL TKST PRLPRT HNS BNK MPK RTRM RSPKT TRT NSTS TMPRRL INK WLK SFL TSKNT XKSMS TRNSPRT STJS RPLS BKTKS TLT MN H X STRTT"}

select string_agg(metaphone(w, 3), ' ') as codes from unnest(array['srand','sent','infinity','endpoint','qualified','warehouse','sh','presents','deny','Full','letter','trust','misc','Are','arrays','coincide','oops','ad','Larry','override','btree','URLEncode','Acme','cut','quantified','arrayPartialRe','functionality','NumToString','mcpServers','pagination','Prefix','SHOP','kurtSamp','passages','LazyLock','decode','considered','confusion','imposed','sized','reveal','dots','identification','constructs','profiles','guess','aA','agents','eys','valid','avgOrNull','watched','TypeScript','cluster','tree','SETS','indicates','mutually','Ancillary','ProjectReady']) w;
--> {"codes":"SRN SNT INF ENT KLF WRH X PRS TN FL LTR TRS MSK AR ARS KNS OPS AT LR OFR BTR URL AKM KT KNT ARP FNK NMT MKP PJN PRF XP KRT PSJ LSL TKT KNS KNF IMP SST RFL TTS ITN KNS PRF KS A AJN ES FLT AFK WTX TPS KLS TR STS INT MTL ANS PRJ"}

select string_agg(metaphone(w, 5), ' ') as codes from unnest(array['KWJWE','UC','EUZA','MROYUQWJ','MIITJGY','HEUUMNJA','PLNDPN','T','STSGKOIVA','HIPAUOQS','INH','ONH','H','CEF','GFWXANOSV','GLWW','HRKHFHOEK','SW','ONCUIS','VAU','HGVNS','OKCIGOI','NVT','KKYFO','QGES','UMMXCZIQG','GV','GTRWUE','AT','XUHE','U','NSGIK','WCM','UEOGFHSR','GUWUUDOOV','QOOD','KX','H','QKR','GMQ','CGGVANZJN','NA','WKWUNA','FMUIPTH','LFCZLZC','IIQKIDNHU','SUOTWXH','EI','WQHKOTO','GEPTQ','IKCZSUN','FZWXERQ','CMCUQV','UMNEPDHM','DLAPNOWJW','IJHWB','MNNCCXQWS','XUTMCX','PIENS','UST']) w;
--> {"codes":"KJW UK ES MRYKJ MTJJ HMNJ PLNTP T STSKK HPKS IN ON  SF KFKSN KL RKFHK S ONKS F KFNS OKSK NFT KF KJS UMKSK KF KTRW AT SH U NSJK KM UKFSR KWTF KT KKS  KKR KMK KKFNS N KWN FMP0 LFKSL IKKTN STKS E KKT JPTK IKKSS FSKSR KMKKF UMNPT TLPNJ IJB MNKKK STMKK PNS UST"}

select string_agg(metaphone(w, 10), ' ') as codes from unnest(array['OKWYLS','IJEKWECVS','AA','TSWZW','UTAMK','IOASO','B','ATZCU','CIRBYUOPY','UQUIRVLL','OENCA','YWTHVQ','EPHLJC','X','WVJCSYMKT','WD','Z','W','TKVKUHUV','BUIGW','AGMK','LFGUSAEDW','UQEIJEH','KGGND','AIISBHI','X','G','IROLI','LKHF','XZ','I','SKZULGA','OUXNCRO','OCVISELT','SIAUF','SYJ','SSGGOZHAU','NTU','MQEXUUAIL','OEAKN','NRYQ','OUH','LOCQ','HUFUWGNT','UJST','RZIEP','XYNVLGO','JHEVOW','LXCXI','EIOXHYKWN','RCA','GGEXLM','DCFDS','WYUTEB','KTCCGFNMY','VR','SEHR','NABDG','VSWUEIZD','OWYKHVHG']) w;
--> {"codes":"OKLS IJKWKFS A TSS UTMK IS B ATSK SRBYP UKRFL ONK 0FK EFLJK S FJKSMKT T S  TKFKHF BK AKMK LFKST UKJ KKNT ASBH S K IRL LKF SS I SKSLK OKSNKR OKFSLT XF SJ SKSH NT MKKSL OKN NRK O LKK HFKNT UJST RSP SNFLK JHF LKSKKS EKSKN RK KKSLM TKFTS YTB KTKKKFNM FR SR NBTK FSWST OKFK"}

select string_agg(metaphone(w, 3), ' ') as codes from unnest(array['XPU','H','WAFAXNOU','W','KUCOUSK','NEDUHWO','XJ','YNJE','QIUUWK','LIJTAV','FRICA','CCKCH','TI','KGXUBK','IHTCI','VOCSLJYW','UCUWWNTNL','ROBPCFT','LZOYRIEF','GQDSHIHJM','SFK','UKIOQHZ','UM','UKUDLGA','WDNOP','DDPFXBU','BUYULXRZ','FGUWUW','SUIU','GY','NGTVCX','BPESNICJ','XBOOW','UAVKJEOTE','TG','E','PGH','PHTUA','KC','ITUOW','ISSE','POFXI','PVSTUCDZ','ATWGVSXCJ','O','R','NI','CZOMCJT','QME','KIULW','L','ZOLRSK','ZLVVSNY','JNEBGIK','ZNQG','AXO','WJUHDKVA','YE','OHELCDMFT','HKRDAJ']) w;
--> {"codes":"SP  WFK  KKS NTW SJ NJ KK LJT FRK KKX T KKK ITS FKS UKN RBP LSR KKT SFK UKK UM UKT TNP TPF BYL FKW S J NKT BPS SB UFK TK E PF FT KK IT IS PFK PFS ATK O R N KSM KM KL L SLR SLF JNB SNK AKS JTK Y OHL KRT"}

select string_agg(metaphone(w, 5), ' ') as codes from unnest(array['FG','CGYCOQH','A','HIVEO','WGO','CLE','ESQXAUY','NU','VWIR','Z','OO','AKEWNHU','NUBRR','NQM','UEWOWWK','TIIS','U','Z','SFSKLQITK','VPT','EVT','LLSXHSAOP','O','E','QCEE','WU','XOCSTL','POA','KCUONEEOT','ESCMTGTT','FJCRTTG','AXTIJFATS','HXAWE','WO','NOSOHYOI','HHIVGCGR','NBIUKSGCV','JQ','WZ','PSE','OPHOG','RTBWFKGL','EWW','AGFPSI','WKWK','A','CV','HTVH','K','OGAHEMG','LFH','AGSUIFA','KZEOR','GTE','NUVRTGU','NQD','ICJPCYK','OQEEXTF','LFO','W']) w;
--> {"codes":"FK KJKK A HF K KL ESKKS N FWR S O AKNH NBR NKM UWK TS U S SFSKL FPT EFT LSKSS O E KS W SKSTL P KKNT ESKMT FJKRT AKSTJ KSW W NSY FKKKR NBKSK JK S PS OFK RTBFK E AKFPS KK A KF TF K OKHMK LF AKSF KSR KT NFRTK NKT IKJPS OKKST LF "}

select string_agg(metaphone(w, 10), ' ') as codes from unnest(array['mnbg','gcs éhsghi','ikéék','st namtact','n-','xncxtét1x''','hté-cké','bg','tim','t11','1ééia-','hw-','t1wkmcscbm','é','ét','étx''bcig','hg','aésisc ihc','1cémw','b-k','hcncb','témwnmé1bg','ag instg','chi','1ghnbtn','''kcwasihn','éthxkktixc','''  waahimh','c mbéaw''','thssh','1én11wx1a','-ixé-bc','''wi','hamb-tgbmé','t','xatwnh','''xc','théncwxg m','hbxkcx1i','st','ib','gstéx1','gaang''m','bnsigkaki','a-''x','isbw- sxta','imbna','é','x  x m''gx','éxénxb','''bci','-xhkhé','ttm-','ta','g','g'' b1hx','sbn''''t','-k''scas','n sa','iibcgckw']) w;
--> {"codes":"MNBK KKSSF IKK STNMTKT N SNKKSTTKS TK BK TM T I  TKMKSKBM  T TKSBSK K ASSKK KM BK KNKB TMNMBK AKNSTK X FNBTN KKWSN 0KSKTKSK WHM KM 0S NKS IKSBK W HMTKBM T STN SK 0NKKSKM BKSKKKS ST IB KSTKS KNKM BNSKKK AKS ISBSKST IMN  SKSMKKS SNKSB BS SK TM T K KBKS SBNT KSKS NS IBKKK"}

select metaphone('Thumb', 4), metaphone('Knight', 10), metaphone('Wright', 10), metaphone('School', 10), metaphone('Schwartz', 10), metaphone('Xavier', 4);
--> {"metaphone":"SFR"}

select metaphone('', 4) as a, metaphone(null, 4) as b, metaphone('123', 4) as c;
--> {"a":"","b":null,"c":""}

select metaphone('a', 0);
--> ERROR 2200F: output cannot be empty string

select metaphone('a', -1);
--> ERROR 2200F: output cannot be empty string

select metaphone('a', 256);
--> ERROR 22023: output exceeds the maximum length of 255 bytes

select metaphone(repeat('a', 256), 4);
--> ERROR 22023: argument exceeds the maximum length of 255 bytes
