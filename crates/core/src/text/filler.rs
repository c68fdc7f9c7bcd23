//! Words that are in a question only because it is a sentence.

/// Whether `word`, folded and unstemmed, says nothing about what is asked. `written` is the word
/// as the person wrote it, `first` whether the question starts with it, and `shouted` whether the
/// whole question is in capitals: IT, US, WHO and Will can be names.
pub(super) fn is_filler(word: &str, written: &str, first: bool, shouted: bool) -> bool {
    let name = match written {
        "IT" | "US" | "WHO" => !shouted,
        "Will" => !first,
        _ => false,
    };
    !name && FILLER.binary_search(&word).is_ok()
}

/// Sorted. English, as the stemmer is.
#[rustfmt::skip]
const FILLER: &[&str] = &[
    "a", "about", "above", "after", "again", "against", "aint", "all", "already", "also",
    "although", "am", "an", "and", "another", "any", "anybody", "anyone", "anything", "are",
    "arent", "as", "at", "be", "because", "been", "before", "being", "below", "between", "both",
    "but", "by", "can", "cannot", "cant", "could", "couldnt", "currently", "did", "didnt", "do",
    "does", "doesnt", "doing", "done", "dont", "down", "during", "each", "either", "else", "even",
    "ever", "every", "everybody", "everyone", "everything", "exactly", "few", "for", "from", "get",
    "gets", "getting", "going", "got", "had", "hadnt", "has", "hasnt", "have", "havent", "having",
    "he", "her", "here", "heres", "hers", "herself", "hes", "him", "himself", "his", "how", "hows",
    "i", "id", "if", "im", "in", "into", "is", "isnt", "it", "its", "itself", "ive", "just",
    "know", "let", "lets", "many", "me", "might", "mine", "more", "most", "much", "must", "mustnt",
    "my", "myself", "neither", "no", "nobody", "nor", "not", "nothing", "of", "off", "ok", "okay",
    "on", "one", "ones", "only", "onto", "or", "other", "others", "ought", "our", "ours",
    "ourselves", "out", "over", "own", "per", "please", "quite", "really", "said", "same", "say",
    "says", "shall", "she", "shes", "should", "shouldnt", "so", "some", "somebody", "someone",
    "something", "still", "such", "tell", "than", "that", "thats", "the", "their", "theirs",
    "them", "themselves", "then", "there", "theres", "these", "they", "theyre", "theyve", "this",
    "those", "though", "through", "to", "too", "toward", "towards", "under", "unless", "until",
    "up", "upon", "us", "very", "via", "was", "wasnt", "we", "were", "werent", "weve", "what",
    "whatever", "whats", "when", "whenever", "whens", "where", "wheres", "wherever", "whether",
    "which", "whichever", "while", "who", "whoever", "whom", "whos", "whose", "why", "whys",
    "will", "with", "within", "without", "wont", "would", "wouldnt", "yes", "yet", "you", "your",
    "youre", "yours", "yourself", "yourselves", "youve",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_can_be_searched() {
        assert!(FILLER.is_sorted());
        assert!(is_filler("what", "What", true, false));
        assert!(!is_filler("budget", "budget", false, false));
    }

    #[test]
    fn capitals_can_be_names() {
        assert!(!is_filler("it", "IT", false, false));
        assert!(is_filler("it", "it", false, false));
        assert!(is_filler("it", "IT", false, true));
        assert!(!is_filler("will", "Will", false, false));
        assert!(is_filler("will", "Will", true, false));
    }
}
