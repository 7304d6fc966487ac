/** The built-in taxonomy of extensions, groups and categories. Installations edit a copy of it in the database. */
export interface RegistryCategory {
  key: string;
  label: string;
  description: string;
  /** The extractor for files of this category; null for none. */
  extractor: string | null;
}

export interface RegistryGroup {
  key: string;
  category: string;
  label: string;
  description: string;
  extensions: readonly string[];
}

export const registryCategories: readonly RegistryCategory[] = [
  { key: 'image', label: 'Image', extractor: 'image', description: 'Photos, drawings and other pictures.' },
  { key: 'audio', label: 'Audio', extractor: 'audio', description: 'Music, recordings, audiobooks and audio projects.' },
  { key: 'video', label: 'Video & subtitle', extractor: 'video', description: 'Films, recordings and their subtitles.' },
  { key: 'document', label: 'Document', extractor: 'document', description: 'Texts, office documents, books and comics.' },
  { key: 'three-d-cad', label: '3D & CAD', extractor: 'model3d', description: 'Three-dimensional models and engineering drawings.' },
  { key: 'development', label: 'Development & data', extractor: null, description: 'Source code, scripts, notebooks and structured data.' },
  { key: 'archive', label: 'Archive & image', extractor: null, description: 'Archives, disk images and installers.' },
  { key: 'system', label: 'System & data files', extractor: null, description: 'Fonts, databases, programs, mailboxes, keys and logs.' },
  { key: 'other', label: 'Other / unknown', extractor: null, description: 'Files whose extension is unknown or absent.' },
];

const words = (list: string): readonly string[] => list.split(' ');

export const registryGroups: readonly RegistryGroup[] = [
  {
    key: 'raster-photo',
    category: 'image',
    label: 'Raster / photo',
    description: 'Photos and other pixel images.',
    extensions: words(
      'avif avifs bmp bpg cur dds dib exr fit fits flif hdr heic heics heif hif icns ico iff ilbm j2k jfif jif jng jp2 jpc jpe ' +
        'jpeg jpf jpg jpm jpx jxl mdi pam pbm pct pcx pgm pict png pnm ppm qoi qtif ras rgb sgi targa tga tif tiff wbmp webp xbm ' +
        'xpm xwd',
    ),
  },
  {
    key: 'raw-photo',
    category: 'image',
    label: 'Camera RAW',
    description: 'Unprocessed camera images and medical images.',
    extensions: words(
      '3fr ari arw bay cap cr2 cr3 crw cs1 dcm dcr dcs dng drf eip erf fff gpr iiq k25 kc2 kdc mdc mef mos mrw nef nksc nrw orf ' +
        'pef raf raw rw2 rwl rwz sr2 srf srw x3f',
    ),
  },
  {
    key: 'vector-image',
    category: 'image',
    label: 'Vector image',
    description: 'Drawings made of lines and shapes.',
    extensions: words('ai cdr cgm cmx dia drawio drw emf emz eps epsf epsi fig fodg hpgl odg plt svg svgz vsd vsdx vss wmf wmz'),
  },
  {
    key: 'layered-image',
    category: 'image',
    label: 'Layered / authoring image',
    description: 'Project files of image editors, with layers.',
    extensions: words('afdesign afphoto clip cpt csp idml indd kra ora pdd pdn procreate psb psd pxm sai sai2 sketch tvpp xcf'),
  },
  {
    key: 'animated-image',
    category: 'image',
    label: 'Animated image',
    description: 'Animated images.',
    extensions: words('ani apng flc fli gif gifv mng'),
  },
  {
    key: 'video',
    category: 'video',
    label: 'Video',
    description: 'Videos with or without sound.',
    extensions: words(
      '264 265 3g2 3gp 3gpp amv asf av1 avc avi braw bvr dav divx dv dvr dvr-ms f4v flv fmp4 fmpi fxm g64 g64x gmp4 gxf h264 ' +
        'h265 h26l h3r hevc hm4 ifo m1v m2t m2ts m2v m4s m4v mcg mkv mod moov mov movie mp4 mpe mpeg mpg mpv mts mxf n3r nsv ogm ' +
        'ogv qt qtvr r3d rcd rm rmj rmm rms rmvb rmx roq rv rvx swf tod ts tts viv vivo vob webm wmv wtv y4m',
    ),
  },
  {
    key: 'audio-lossy',
    category: 'audio',
    label: 'Lossy audio',
    description: 'Audio with lossy compression.',
    extensions: words(
      '3ga aa3 aac ac3 amr at3 awb dts eac3 f4a gsm m4a m4r mka mp1 mp2 mp3 mpa mpc mpga oga ogg ogx oma opus qcp ra ram rax ' +
        'spx vqf weba wma',
    ),
  },
  {
    key: 'audio-lossless',
    category: 'audio',
    label: 'Lossless / PCM audio',
    description: 'Audio without loss of quality.',
    extensions: words(
      'aif aifc aiff alac ape au bwf caf dff dsd dsf flac l16 la mlp ofr ofs pcm rf64 shn snd tak tta voc w64 wav wave wv wvc',
    ),
  },
  {
    key: 'audiobook',
    category: 'audio',
    label: 'Audiobook',
    description: 'Audiobooks with chapters.',
    extensions: words('aa aax aaxc f4b m4b'),
  },
  {
    key: 'audio-project',
    category: 'audio',
    label: 'Audio project, sampler & instrument',
    description: 'Sessions, samples, instruments, MIDI and tracker modules.',
    extensions: words(
      '669 adg adv agr akp alp als aup aup3 aupreset bwproject cpr cwb cwp dawproject dls exs ffp flp fxb fxp gig h2song it kar ' +
        'kit logic logicx m15 med mid midi minipsf mmp mmpz mo3 mtm nkc nki nkm nksf nksn nkx npr pat psflib ptf pts ptx rcy ' +
        'reapeaks rex rmi rns rpp rx2 s3m ses sesx sf2 sf3 sfark sfz sid sng stm sxt syx ult uni vstpreset xi xmf',
    ),
  },
  {
    key: 'playlist',
    category: 'audio',
    label: 'Playlist',
    description: 'Lists of media files.',
    extensions: words('aimppl asx b4s cue fpl kpl m3u m3u8 mpls pla pls wax wmx wpl wvx xspf zpl'),
  },
  {
    key: 'subtitle',
    category: 'video',
    label: 'Subtitle / caption',
    description: 'Subtitles and captions.',
    extensions: words('aqt ass dfxp idx jss lrc mcc mpsub pjs rt sami sbv scc smi srt ssa sub sup ttml usf vtt'),
  },
  {
    key: 'document-text',
    category: 'document',
    label: 'Plain text document',
    description: 'Plain text.',
    extensions: words('1st ans diz etx me nfo pgn readme text txt wtx'),
  },
  {
    key: 'document-office',
    category: 'document',
    label: 'Word-processor / office document',
    description: 'Word-processor documents.',
    extensions: words(
      '602 abw cwk doc docm docx dot dotm dotx fodt gdoc hwp hwpx kwd lwp mcw odt ott pages rtf sdw stw sxw uof uot wpd wps wpt ' +
        'wri zabw',
    ),
  },
  {
    key: 'pdf',
    category: 'document',
    label: 'PDF & page description',
    description: 'Pages with a fixed layout.',
    extensions: words('dvi fdf oxps pcl pdf prn ps xdp xfdf xps'),
  },
  {
    key: 'presentation',
    category: 'document',
    label: 'Presentation',
    description: 'Slide decks.',
    extensions: words('fodp gslides odp otp pot potm potx pps ppsm ppsx ppt pptm pptx prz sdd shw sldm sldx sti sxi uop'),
  },
  {
    key: 'spreadsheet',
    category: 'document',
    label: 'Spreadsheet / tabular',
    description: 'Spreadsheets and tables.',
    extensions: words(
      '123 csv dif et fods gnumeric gsheet numbers ods ots qpw slk stc sxc sylk tab tsv uos wb2 wk1 wk3 wk4 wks wq1 xla xlam ' +
        'xls xlsb xlsm xlsx xlt xltm xltx xlw',
    ),
  },
  {
    key: 'ebook',
    category: 'document',
    label: 'E-book',
    description: 'Electronic books.',
    extensions: words(
      'acsm azw azw3 azw4 ceb cebx chm djv djvu epub fb2 fb2z fbz ibooks kf8 kfx kpf lit lrf lrx mobi ncx oeb opf pdb prc snb ' + 'tcr tpz',
    ),
  },
  {
    key: 'comic',
    category: 'document',
    label: 'Comic archive',
    description: 'Comic books packed as archives.',
    extensions: words('acbf cb7 cba cbr cbt cbw cbz'),
  },
  {
    key: 'markup',
    category: 'document',
    label: 'Markup & typesetting source',
    description: 'Text with markup or typesetting commands.',
    extensions: words(
      'adoc asciidoc atom bib bst cls creole dita docbook dtd dtx ejs erb haml handlebars hbs htm html j2 jade jinja jinja2 ' +
        'latex liquid ltx man markdown md mdown mdwn mdx mediawiki mkd mkdn mustache njk nroff nunjucks org pod pug rdoc rng roff ' +
        'rss rst sgml shtml slim sty tex texi texinfo textile troff twig typ wiki xaml xht xhtml xml xsd xsl xslt',
    ),
  },
  {
    key: '3d-model',
    category: 'three-d-cad',
    label: '3D model / mesh',
    description: 'Meshes, scenes and print files.',
    extensions: words(
      '3ds 3mf abc amf blend blend1 c4d chitubox collada ctb dae e57 fbx gco gcode glb gltf gltf2 ksplat las laz lwo lws lxl ' +
        'lxo ma max mb mesh mmd mqo mtl obj off pcd ply pmd pmx qb splat stl usd usda usdc usdz vox vrml wrl x3d x3db x3dv xyz ' +
        'zpr ztl',
    ),
  },
  {
    key: 'cad',
    category: 'three-d-cad',
    label: 'CAD & engineering',
    description: 'Engineering and circuit designs.',
    extensions: words(
      '3dm 3dxml brd catdrawing catpart catproduct cnc dgn drl dwf dwfx dwg dwt dxf emn f3d f3z fcstd gbr iam idw ifc ifcxml ' +
        'ifczip iges igs ipn ipt jt kicad_pcb kicad_sch mcd model nc neu par pln prt psm rfa rte rvt sab sat scad scdoc sch skp ' +
        'sldasm slddrw sldprt step stp stpz tap vwx x_b x_t',
    ),
  },
  {
    key: 'font',
    category: 'system',
    label: 'Font',
    description: 'Typefaces.',
    extensions: words(
      'afm bdf cff dfont eot fnt fon fond fot gf glyphs glyphspackage otc otf pcf pf2 pfa pfb pfm pk sfd snf suit t1 tfm ttc ' +
        'ttf ufo vfb woff woff2',
    ),
  },
  {
    key: 'source-code',
    category: 'development',
    label: 'Source code',
    description: 'Source code of programs.',
    extensions: words(
      'ada adb ads asm au3 bas c c++ cairo cbl cc cjs cl clj cljc cljs cob cobol coffee comp cpp cpy cr cs csx cts cu cuh cxx d ' +
        'dart diff dpr edn eex el elm erl ex f f03 f08 f90 f95 for frag fs fsi fsscript fsx ftn gd gemspec geom glsl go groovy ' +
        'gvy gy h h++ heex hh hlsl hpp hrl hs hx hxml hxx i inc inl ino ipp jav java jl js jsx kt ktm kts leex lhs lisp litcoffee ' +
        'lsp lua m metal mjs ml mli mm move nasm nim nims pas patch php php3 php4 php5 phps phtml pl pm pp purs pxd pxi py pyi ' +
        'pyw pyx qml r rake rb rbw re rei rkt rpy rs s sc scala scm sol ss sv svh swift t tcc tcl tpp tsx v vala vapi vb vert ' +
        'vhdl wat wgsl zig',
    ),
  },
  {
    key: 'script',
    category: 'development',
    label: 'Shell / automation script',
    description: 'Shell and automation scripts.',
    extensions: words(
      'ahk ahk2 applescript ash awk bash bat btm cgi cmd command csh dash elv exp expect fish hta ksh nu ps1 ps1xml psd1 psm1 ' +
        'scpt scptd sed sh tcsh tool vbe vbs wsf wsh xonsh zsh',
    ),
  },
  {
    key: 'web-asset',
    category: 'development',
    label: 'Web asset',
    description: 'Styles and components of web pages.',
    extensions: words('astro css importmap less pcss postcss sass scss styl stylus svelte vue wasm webmanifest'),
  },
  {
    key: 'notebook',
    category: 'development',
    label: 'Computational notebook',
    description: 'Notebooks that mix text, code and results.',
    extensions: words('ipynb livemd nb qmd rmarkdown rmd rnw zpln'),
  },
  {
    key: 'config-data',
    category: 'development',
    label: 'Config & structured data',
    description: 'Settings and structured data.',
    extensions: words(
      'avsc babelrc bazel bzl capnp cfg cmake cnf conf config containerfile csproj desktop dhall dockerfile dotenv editorconfig ' +
        'env eslintrc fbs fsproj gcrd geojson gql gradle graphql hcl ics ini json json5 jsonc jsonl jsonnet kdl libsonnet lock ' +
        'mak mk ndjson ninja nix npmrc pbxproj plist prefs prettierrc pri prop properties proto rc reg resx ron sbt service sln ' +
        'srr srs tf tfstate tfvars thrift toml topojson torrent unit vbproj vcf vcs vct vcxproj xcconfig yaml yarnrc yml',
    ),
  },
  {
    key: 'database',
    category: 'system',
    label: 'Database & dataset',
    description: 'Databases and datasets.',
    extensions: words(
      'accdb accde arrow avro bson cdf db db3 dbf ddl dta dump fdb feather fmp12 fp7 frm gdb h5 hdf5 ibd kdb kdbx ldf mdb mde ' +
        'mdf myd myi ndf npy npz nsf ntf odb orc parquet pickle pkl por rdata rds realm s3db sas7bdat sav sdf sl3 sql sqlite ' +
        'sqlite3 sqlitedb wdb xpt',
    ),
  },
  {
    key: 'archive',
    category: 'archive',
    label: 'Archive / compressed',
    description: 'Packed and compressed files.',
    extensions: words(
      '7z ace afa alz ar arc arj b1 ba br bz2 cab cpio dar dgc ear gca gcf gz gzip hqx jar kgb lha lrz lz lz4 lzh lzma lzo lzop ' +
        'pak paq pea pk3 pk4 r00 r01 rar rz s7z sar sea shar sit sitx sz tar taz tb2 tbz tbz2 tgz tlz tlz4 tlzma tlzo txz tzst ' +
        'uc2 uha vpk war xar xz yz1 z zip zipx zoo zpaq zst zstd zz',
    ),
  },
  {
    key: 'disk-image',
    category: 'archive',
    label: 'Disk / filesystem image',
    description: 'Images of disks and file systems.',
    extensions: words(
      'adf adz aff b5t b6t ccd chd cif cso d64 daa dmg dsk e01 esd fdi ffu gcm gho ghs gi hdd img iso isz mds nrg nsp ova ovf ' +
        'qcow qcow2 qed sparsebundle sparseimage swm tib toast udf uif vdi vfd vhd vhdx vmdk wbfs wim xci',
    ),
  },
  {
    key: 'package-installer',
    category: 'archive',
    label: 'Package / installer',
    description: 'Software packages and installers.',
    extensions: words(
      'aab aar apk apkg apkm apks appimage appx appxbundle crx deb drpm egg eopkg flatpak flatpakref gem ipa jmod mpkg msi msix ' +
        'msixbundle msp nupkg pkg rpm run snap srpm tazpkg tipa udeb vsix whl xapk xbps xpi',
    ),
  },
  {
    key: 'executable-binary',
    category: 'system',
    label: 'Executable / binary',
    description: 'Compiled programs and libraries.',
    extensions: words(
      'a ax axf beam bin bundle class com cpl dll dol drv dylib efi elf exe jsa ko lib node nro nso o ocx out prx pyc pyd pyo ' +
        'rlib rmeta rpx scr self so sys xex',
    ),
  },
  {
    key: 'email',
    category: 'system',
    label: 'E-mail & mailbox',
    description: 'Messages and mailboxes.',
    extensions: words('dbx eml emlx mbox mbs mbx mht mhtml mim mime msg nws oft ost p7m pst tnef'),
  },
  {
    key: 'certificate-key',
    category: 'system',
    label: 'Certificate & key',
    description: 'Certificates, keys and signatures.',
    extensions: words(
      'asc bks cer cert crl crt csr der gpg jceks jks jwk jwks kbx key keystore p12 p7b p7c p7r p7s p8 pem pfx pgp pk8 pkr ppk ' +
        'pub req sig skr spc',
    ),
  },
  {
    key: 'log',
    category: 'system',
    label: 'Log & diagnostic',
    description: 'Logs, traces and dumps.',
    extensions: words('dmp err etl evt evtx hprof journal log log1 log2 logs ltsv mdmp pcap pcapng trace'),
  },
  {
    key: 'other',
    category: 'other',
    label: 'Other / unknown',
    description: 'Anything the other groups do not cover.',
    extensions: [],
  },
];
