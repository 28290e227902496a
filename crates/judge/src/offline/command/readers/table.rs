//! The commands that only read, and the options that keep them so.

use super::super::options::Known;
use gavel_core::term;
use gavel_core::text::Template;

/// What the operands of a command are.
#[derive(Clone, Copy)]
pub(super) enum Operands {
    /// There must be none.
    None,
    /// Any text.
    Text,
    /// Files whose content is read, at most so many: some commands write to the next.
    Files(usize),
    /// Files of which only names, sizes and dates are told.
    Names,
}

pub(super) struct Reader {
    pub names: &'static [&'static str],
    /// What it does, for the sentence.
    pub does: Template,
    pub known: Known,
    pub operands: Operands,
}

/// What `ls` and its like do.
pub(super) const LISTS: Template = term!("lists {}");

pub(super) const ANY: usize = usize::MAX;

const fn reader(
    names: &'static [&'static str],
    does: Template,
    (letters, valued, long): (&'static str, &'static str, &'static str),
    operands: Operands,
) -> Reader {
    Reader { names, does, known: Known { letters, valued, long, number: false }, operands }
}

const LS: &str = "all almost-all author escape block-size= ignore-backups color=? directory classify=? format= full-time \
    group-directories-first no-group human-readable si hide= indicator-style= inode ignore= kibibytes \
    numeric-uid-gid literal hide-control-chars quote-name quoting-style= reverse recursive size sort= time= time-style= \
    width= zero";

/// Each option was looked up in the manuals of GNU, BSD and busybox: none of those listed writes or runs
/// anything, or follows links that it comes across.
pub(super) const READERS: &[Reader] = &[
    reader(&["pwd"], term!("tells the directory"), ("LP", "", "logical physical"), Operands::None),
    reader(&["ls"], LISTS, ("aAbBcCdfFgGhHiklmnNopqQrRsStuUvxXZ1", "", LS), Operands::Names),
    reader(
        &["cat", "tac"],
        term!("reads {}"),
        ("AbeEnstTuv", "", "show-all number number-nonblank show-ends squeeze-blank show-tabs show-nonprinting"),
        Operands::Files(ANY),
    ),
    Reader {
        names: &["head", "tail"],
        does: term!("reads a part of {}"),
        known: Known { letters: "qvz", valued: "nc", long: "lines= bytes= quiet silent verbose", number: true },
        operands: Operands::Files(ANY),
    },
    reader(
        &["wc"],
        term!("counts what is in {}"),
        ("clLmw", "", "bytes chars lines words max-line-length total="),
        Operands::Files(ANY),
    ),
    reader(
        &["nl"],
        term!("numbers the lines of {}"),
        ("p", "bdfhilnsvw", "body-numbering= number-width= starting-line-number="),
        Operands::Files(ANY),
    ),
    reader(
        &["sort"],
        term!("sorts {}"),
        (
            "bdfgiMhnRrVcCmsuz",
            "kt",
            "reverse numeric-sort human-numeric-sort unique key= field-separator= ignore-case version-sort stable check=?",
        ),
        Operands::Files(ANY),
    ),
    reader(
        &["uniq"],
        term!("drops repeated lines of {}"),
        ("cdDiuz", "fsw", "count repeated unique ignore-case skip-fields= skip-chars="),
        Operands::Files(1),
    ),
    reader(
        &["cut"],
        term!("cuts columns out of {}"),
        ("nsz", "bcdf", "bytes= characters= delimiter= fields= only-delimited complement output-delimiter="),
        Operands::Files(ANY),
    ),
    reader(
        &["tr"],
        term!("replaces letters"),
        ("cCdst", "", "complement delete squeeze-repeats truncate-set1"),
        Operands::Text,
    ),
    reader(
        &["comm"],
        term!("compares {}"),
        ("123iz", "", "check-order nocheck-order output-delimiter= total"),
        Operands::Files(2),
    ),
    reader(
        &["cmp"],
        term!("compares {}"),
        ("bls", "in", "print-bytes verbose silent quiet bytes= ignore-initial="),
        Operands::Files(2),
    ),
    reader(
        &["diff"],
        term!("compares {}"),
        (
            "abBdEiqstuwyZ",
            "CUW",
            "brief unified=? context=? side-by-side ignore-all-space ignore-space-change ignore-blank-lines ignore-case report-identical-files suppress-common-lines width= color=? minimal strip-trailing-cr text",
        ),
        Operands::Files(2),
    ),
    reader(&["paste"], term!("joins the lines of {}"), ("sz", "d", "delimiters= serial"), Operands::Files(ANY)),
    reader(&["join"], term!("joins {}"), ("i", "12aejotv", "ignore-case check-order header"), Operands::Files(2)),
    reader(
        &["fold", "fmt"],
        term!("breaks the lines of {}"),
        ("bscu", "w", "width= spaces bytes"),
        Operands::Files(ANY),
    ),
    reader(
        &["expand", "unexpand"],
        term!("replaces tabs in {}"),
        ("ai", "t", "tabs= all initial first-only"),
        Operands::Files(ANY),
    ),
    reader(&["rev"], term!("turns the lines around of {}"), ("", "", ""), Operands::Files(ANY)),
    reader(
        &["column"],
        term!("sets in columns {}"),
        ("txenJ", "csoNR", "table separator= output-separator= columns= table-columns= json"),
        Operands::Files(ANY),
    ),
    reader(
        &["strings"],
        term!("finds readable text in {}"),
        ("afow", "nte", "all bytes= radix= encoding="),
        Operands::Files(ANY),
    ),
    reader(
        &["od"],
        term!("shows the bytes of {}"),
        ("abcdfilosvx", "AjNt", "address-radix= skip-bytes= read-bytes= format= output-duplicates"),
        Operands::Files(ANY),
    ),
    reader(
        &["hexdump", "hd"],
        term!("shows the bytes of {}"),
        ("bcCdovx", "ens", "canonical length= skip= no-squeezing"),
        Operands::Files(ANY),
    ),
    reader(&["xxd"], term!("shows the bytes of {}"), ("beEidpu", "cglos", ""), Operands::Files(1)),
    reader(
        &["base64", "base32"],
        term!("encodes or decodes {}"),
        ("dDi", "w", "decode wrap= ignore-garbage"),
        Operands::Files(1),
    ),
    reader(
        &["md5sum", "sha1sum", "sha224sum", "sha256sum", "sha384sum", "sha512sum", "b2sum", "cksum", "md5", "sum"],
        term!("computes the check sum of {}"),
        ("btzrs", "al", "binary text tag zero algorithm= length="),
        Operands::Files(ANY),
    ),
    reader(
        &["shasum"],
        term!("computes the check sum of {}"),
        ("bt", "a", "algorithm= binary text"),
        Operands::Files(ANY),
    ),
    reader(
        &["stat"],
        term!("looks at {}"),
        ("Lfltnrsx", "c", "dereference file-system format= printf= terse"),
        Operands::Names,
    ),
    reader(
        &["file"],
        term!("tells the kind of {}"),
        ("bhiLkNnprs0", "F", "brief mime mime-type mime-encoding extension dereference no-dereference keep-going"),
        Operands::Names,
    ),
    reader(
        &["du"],
        term!("measures {}"),
        (
            "aAbcDghHkmlsSx0",
            "dBt",
            "all apparent-size bytes total max-depth= human-readable si summarize one-file-system exclude= threshold= block-size=",
        ),
        Operands::Names,
    ),
    reader(
        &["df"],
        term!("measures the disk of {}"),
        ("ahHiklPT", "tBx", "all human-readable si inodes local portability print-type total type= output=?"),
        Operands::Names,
    ),
    reader(
        &["tree"],
        LISTS,
        (
            "adfipsughDFrtUvcCnNqSAJX",
            "LIP",
            "dirsfirst filesfirst du gitignore noreport prune filelimit= matchdirs ignore-case sort= metafirst inodes device timefmt= charset=",
        ),
        Operands::Names,
    ),
    reader(
        &["realpath", "readlink"],
        term!("resolves {}"),
        (
            "eEfmnsqvzLP",
            "",
            "canonicalize canonicalize-existing canonicalize-missing no-symlinks relative-to= relative-base= strip quiet no-newline logical physical zero",
        ),
        Operands::Names,
    ),
    reader(&["basename", "dirname"], term!("takes a path apart"), ("az", "s", "multiple suffix= zero"), Operands::Text),
    reader(&["which"], term!("tells where programs lie"), ("as", "", "all skip-alias skip-functions"), Operands::Text),
    reader(&["type"], term!("tells what a name means"), ("afptP", "", ""), Operands::Text),
    reader(&["true", "false", ":"], term!("does nothing"), ("", "", ""), Operands::Text),
    reader(&["seq"], term!("counts"), ("w", "fs", "equal-width format= separator="), Operands::Text),
    reader(
        &["whoami", "groups", "uptime", "nproc", "arch", "logname", "tty", "users"],
        term!("tells about this machine"),
        ("", "", "all"),
        Operands::None,
    ),
    reader(
        &["uname"],
        term!("tells about this machine"),
        ("amnoprsvi", "", "all kernel-name nodename kernel-release machine operating-system processor kernel-version"),
        Operands::None,
    ),
    reader(
        &["hostname"],
        term!("tells the name of this machine"),
        ("fsiIdA", "", "fqdn short ip-address all-ip-addresses domain"),
        Operands::None,
    ),
    reader(&["id"], term!("tells who runs this"), ("agGnruzZ", "", "group groups name real user zero"), Operands::Text),
    reader(
        &["free"],
        term!("tells about this machine"),
        ("bkmghtwl", "", "human mega giga total wide si"),
        Operands::None,
    ),
    reader(&["cd"], term!("goes to {}"), ("LPe", "", ""), Operands::Names),
];
